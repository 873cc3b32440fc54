"""Looking at a compiled store: what a word names, and that as text, data or a graph."""

from fleet_contracts.inspecting.finding import Found, TaskPlace, chunks_of, find
from fleet_contracts.inspecting.views import View, look, look_at_store

__all__ = ["Found", "TaskPlace", "View", "chunks_of", "find", "look", "look_at_store"]
