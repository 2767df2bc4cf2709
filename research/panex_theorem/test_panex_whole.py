"""The program that proves the lower bound of Panex, run as its document says."""

from __future__ import annotations

from pathlib import Path

import pytest

from research.panex_theorem.__main__ import main


@pytest.mark.slow(15)
@pytest.mark.matrix
def test_the_certificate_says_what_it_proves_and_no_more(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The lower bound of README.md. The upper one is that of a construction."""
    main(tmp_path / "certificate", 34)
    last = capsys.readouterr().out.splitlines()[-1]
    assert "at least U(n) moves for all n >= 5" in last
    assert "shows that U(n) are enough by the construction that solve --method seed follows" in last


def test_too_few_steps_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"is refused: steps repeat from .* too few"):
        main(tmp_path / "certificate", 6)
