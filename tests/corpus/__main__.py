"""`make corpus`: compare the program with the record of its answers.
`--record` records; `--text FILE` prints one.
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import monotonic

from tests.corpus.answers import compared, read, text_of, write
from tests.corpus.faces import all_faces
from tests.corpus.questions import questions
from tests.corpus.world import built, world


def main(words: list[str]) -> int:
    """Do what the words say; 1 if answers differ from the record, 2 for other words."""
    if words[:1] == ["--text"] and len(words) == 2:
        print(text_of(Path(words[1])))  # noqa: T201
        return 0
    if words not in ([], ["--record"]):
        print(__doc__, file=sys.stderr)  # noqa: T201
        return 2
    began, record, now, differ = monotonic(), read(), {}, 0
    with world([*built()]) as made, all_faces(made) as faces:
        for request in dict.fromkeys(questions()) if words else record:
            now[request] = faces.answer(request)
            if text := compared(request, record.get(request, ""), now[request]):
                print(text, flush=True)  # noqa: T201
                differ += 1
    if words:
        write(now)
    print(f"{len(now):,} requests in {monotonic() - began:.0f} s: {differ:,} differ")  # noqa: T201
    return int(differ > 0 and not words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
