"""`fleet lsp`: what a schema cannot say about authored files, for editors.

The Language Server Protocol 3.17 over standard input and output. Only `convert`, `actions`
and `server` know the types of the protocol; they need the packages of the extra `lsp`.
"""
