"""The command line: options, exit codes and printing; one module a command group."""
