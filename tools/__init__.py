"""Programs for the people who work on this project."""
