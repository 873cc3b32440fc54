"""Development only: generates per-generation schemas and typed structs from `schemas/`."""
