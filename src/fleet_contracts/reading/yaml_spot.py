"""Where the YAML reader's loop stands, and the pointer of that place."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from fleet_contracts.pointer import Pointer, Token

MAX_DEPTH = 128
"""Collections inside each other, the outermost counted (spec section 9)."""

ITEM = object()
"""In place of a key: the next value is an item of a list."""

COMPLEX_KEY = object()
"""In place of a key: the open collection is itself a key, and refused."""

Stack: TypeAlias = list[tuple[Any, Any]]
"""Each collection around the innermost one, with the key (or `ITEM`) that led inwards."""


class Spot(NamedTuple):
    """The place of the next value: `key` in the innermost collection `container`.

    In a list `key` is `ITEM`; in a map it is None while the key itself comes next.
    """

    stack: Stack
    container: Any
    key: Any

    @property
    def pointer(self) -> Pointer:
        """The pointer of the next value, or of the map around it if a key comes next.

        It ends before a key that is refused.
        """
        if not self.stack:
            return ()
        tokens: list[Token] = []
        for opened, led_inwards in self.stack[1:]:
            if led_inwards is ITEM:
                tokens.append(len(opened) - 1)
            elif type(led_inwards) is str:
                tokens.append(led_inwards)
            else:
                return tuple(tokens)
        if self.key is ITEM:
            tokens.append(len(self.container))
        elif type(self.key) is str:
            tokens.append(self.key)
        return tuple(tokens)

    def is_inside(self, value: Any) -> bool:
        """Tell whether a collection is still open here."""
        return self.container is value or any(opened is value for opened, _ in self.stack)
