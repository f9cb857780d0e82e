"""The release of this client; a test compares it with pyproject.toml."""

VERSION = "0.2.0"
