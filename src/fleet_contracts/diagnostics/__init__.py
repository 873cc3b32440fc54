"""Diagnostics: the table of codes, the model, one renderer a file."""
