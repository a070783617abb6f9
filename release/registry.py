"""`server.json`: the description of a release for the registry of MCP servers, validated with the registry's schema."""

import hashlib
import json
import pathlib
import re

import builds
from failure import Failure, child

HERE = pathlib.Path(__file__).resolve().parent
CHECK_SECONDS = 60
# The registry derives the permission to publish from the owner of the repository.
REPOSITORY = re.compile(r"https://github\.com/([^/]+)/([^/]+)")


def describe(bundle, version, repository, into):
    """Writes the description of a release of the bundle at that repository."""
    found = REPOSITORY.fullmatch(repository)
    if not found:
        raise Failure(f"`{repository}` is no repository that the registry knows; it is like https://github.com/OWNER/NAME")
    owner, name = found.groups()
    package = {
        "registryType": "mcpb",
        "identifier": f"{repository}/releases/download/v{version}/{bundle.name}",
        "version": version,
        "fileSha256": hashlib.sha256(bundle.read_bytes()).hexdigest(),
        "transport": {"type": "stdio"},
    }
    server = {
        **json.loads((HERE / "server.json").read_text()),
        "name": f"io.github.{owner}/{name}",
        "version": version,
        "repository": {"url": repository, "source": "github"},
        "packages": [package],
    }
    (into / "server.json").write_text(json.dumps(server, indent=2) + "\n")


def validate(folder, installed):
    """Validates `server.json` in a folder with the schema and the rules of the registry, from a package of PyPI."""
    command = [builds.python(installed, "skillsaw"), "-m", "skillsaw", "lint", "--strict", "--type", "mcp-registry", folder]
    child(command, "the check of `server.json`", CHECK_SECONDS)
