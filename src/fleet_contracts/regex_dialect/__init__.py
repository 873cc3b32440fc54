"""The regular expressions that RE2 and Python read alike (spec section 4, `capture`).

A pattern is read into a tree, and whatever the two engines read differently is refused.
Python's `re` searches with it as long as that cannot take long, a matcher of linear time
otherwise; both find the same.
"""

from fleet_contracts.regex_dialect.refusals import RegexError
from fleet_contracts.regex_dialect.shared import SharedPattern, compile_shared

__all__ = ["RegexError", "SharedPattern", "compile_shared"]
