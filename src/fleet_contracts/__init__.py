"""fleet-contracts: compile authored evaluation contracts to digested content."""

__version__ = "0.1.0"
