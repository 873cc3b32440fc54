"""The store of a published data set, recomputed by a program that is not ours."""

from __future__ import annotations

import pytest
from realdata_kit import Compiled

from elsewhere_kit import own_word, recomputed, without_objects


@pytest.mark.node
def test_gsm8k_has_the_same_digests_elsewhere(gsm8k: Compiled) -> None:
    directory = gsm8k.store.directory
    (found,) = recomputed("store", directory)
    (root,) = found["roots"]
    assert root["digest"] == gsm8k.root.digest
    assert len(root["tasks"]) == gsm8k.root.tasks
    assert without_objects([root]) == own_word(directory)
