"""Structs generated from the schemas; never edited by hand."""
