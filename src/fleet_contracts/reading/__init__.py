"""Reading: bytes to plain data, with the place of everything on demand."""
