"""Projects to start from, and writing them without touching what is there."""

from fleet_contracts.scaffold.plan import KINDS, Scaffold, plan_scaffold, registry_name
from fleet_contracts.scaffold.write import write_new

__all__ = ["KINDS", "Scaffold", "plan_scaffold", "registry_name", "write_new"]
