"""What must hold beyond the shape of an authored document (spec sections 4 and 6).

One module a family, one small function a code; `walk.py` lists them all.
"""

from fleet_contracts.rules.environment import unknown_environment
from fleet_contracts.rules.task import check_task, check_verifiers
from fleet_contracts.rules.walk import check_node

__all__ = ["check_node", "check_task", "check_verifiers", "unknown_environment"]
