"""What a bulk job is made from."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator, List, Mapping, Optional, Sequence, Union

# Text, bytes, a path, rows, or anything that gives parts of the file one after the other.
JobFile = Union[str, bytes, "os.PathLike[str]", Sequence[Union[str, Mapping[str, Any]]], Iterable[Union[str, bytes]]]

_FORMATS = {".ndjson": "ndjson", ".jsonl": "ndjson", ".json": "json"}
TYPES = {"csv": "text/csv", "ndjson": "application/x-ndjson", "json": "application/json"}
_PART_BYTES = 65_536


class Source:
    """Parts of a file; remembers what went wrong with the file itself, apart from what goes wrong with the service."""

    def __init__(self, parts: Callable[[], Iterator[Union[str, bytes]]]) -> None:
        self._parts = parts
        self.failure: Optional[BaseException] = None

    def __iter__(self) -> Iterator[bytes]:
        try:
            for part in self._parts():
                data = part.encode("utf-8") if isinstance(part, str) else part
                if data:
                    yield data
        except GeneratorExit:
            raise
        except Exception as error:
            self.failure = error
            raise


class Upload:
    """A body that is opened for every try; one that can be read once is sent once."""

    def __init__(self, form: str, is_repeatable: bool, opened: Callable[[], Union[bytes, Source]]) -> None:
        self.form = form
        self.is_repeatable = is_repeatable
        self.open = opened


def read_job_file(file: JobFile) -> Upload:
    if isinstance(file, str):
        content = file.encode("utf-8")
        return Upload("csv", True, lambda: content)
    if isinstance(file, (bytes, bytearray)):
        data = bytes(file)
        return Upload("csv", True, lambda: data)
    if isinstance(file, os.PathLike):
        path = Path(os.fspath(file))
        return Upload(_FORMATS.get(path.suffix.lower(), "csv"), True, lambda: Source(lambda: _parts_of(path)))
    if isinstance(file, (list, tuple)):
        rows: List[Any] = list(file)
        text = json.dumps(rows).encode("utf-8")
        return Upload("json", True, lambda: text)
    if hasattr(file, "read"):
        return Upload("csv", False, lambda: Source(lambda: _parts_read(file)))
    stream: Any = file
    return Upload("csv", False, lambda: Source(lambda: iter(stream)))


def _parts_of(path: Path) -> Iterator[bytes]:
    with open(path, "rb") as file:
        yield from _parts_read(file)


def _parts_read(file: Any) -> Iterator[bytes]:
    while True:
        part = file.read(_PART_BYTES)
        if not part:
            return
        yield part
