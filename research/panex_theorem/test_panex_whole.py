"""The program that proves the lower bound of Panex, run as its document says."""

from __future__ import annotations

import pytest

from research.panex_theorem.__main__ import main


@pytest.mark.slow(15)
@pytest.mark.matrix
def test_the_certificate_says_what_it_proves_and_no_more(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The lower bound of README.md. The upper one is that of a construction."""
    main(34)
    last = capsys.readouterr().out.splitlines()[-1]
    assert "at least U(n) moves for all n >= 5" in last
    assert "shows that U(n) are enough by the construction that solve --method seed follows" in last
