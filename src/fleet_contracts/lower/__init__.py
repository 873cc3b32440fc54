"""Authored structs to content structs: normalise scalars, sort sets, elide defaults.

Every function takes the place `at` of what it lowers, relative to its `Scope`. Lowering
reports what a single scalar or file cannot be; what fields cannot mean together is told by
the rules. After a report a stand-in value goes on, so that all mistakes are found; content
made under a failed scope is dropped by the compiler.
"""
