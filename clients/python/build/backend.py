"""Builds the wheel from a checkout or an sdist with the standard library alone, so that no network is needed."""

from __future__ import annotations

import base64
import hashlib
import re
import zipfile
from pathlib import Path
from typing import Any, Dict, Optional

ROOT = Path(__file__).resolve().parent.parent
PYPROJECT = (ROOT / "pyproject.toml").read_text("utf-8")
# Archives are the same bytes whenever they are built.
EPOCH = (1980, 1, 1, 0, 0, 0)


def _field(name: str) -> str:
    found = re.search(rf'^{name} = "(.*)"$', PYPROJECT, re.MULTILINE)
    if found is None:
        raise ValueError(f"pyproject.toml names no {name}")
    return found.group(1)


NAME, VERSION = _field("name"), _field("version")
STEM = f"{NAME.replace('-', '_')}-{VERSION}"


def _metadata() -> bytes:
    head = [
        "Metadata-Version: 2.1",
        f"Name: {NAME}",
        f"Version: {VERSION}",
        f"Summary: {_field('description')}",
        "License: MIT",
        f"Requires-Python: {_field('requires-python')}",
        "Description-Content-Type: text/markdown",
    ]
    readme = (ROOT / "README.md").read_text("utf-8")
    return ("\n".join(head) + "\n\n" + readme).encode("utf-8")


def _package() -> Dict[str, bytes]:
    files = sorted(path for path in (ROOT / "verdict").iterdir() if path.suffix == ".py" or path.name == "py.typed")
    return {f"verdict/{path.name}": path.read_bytes() for path in files}


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: Optional[str] = None) -> str:
    info = f"{STEM}.dist-info"
    files = _package()
    files[f"{info}/METADATA"] = _metadata()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: verdict\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    record = []
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record.append(f"{name},sha256={digest},{len(content)}")
    record.append(f"{info}/RECORD,,")
    files[f"{info}/RECORD"] = ("\n".join(record) + "\n").encode()
    filename = f"{STEM}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / filename, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, content in files.items():
            wheel.writestr(zipfile.ZipInfo(name, EPOCH), content, zipfile.ZIP_DEFLATED)
    return filename
