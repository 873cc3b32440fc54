"""Authored files of an older version, made files of the current one."""

from fleet_contracts.migrate.migration import Migrated, migrate_file
from fleet_contracts.migrate.model import KINDS, Change

__all__ = ["KINDS", "Change", "Migrated", "migrate_file"]
