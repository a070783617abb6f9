"""`server.json`: the description of a release for the registry of MCP servers, validated with the registry's schema."""

import hashlib
import json
import pathlib

import builds
from failure import Failure, child

HERE = pathlib.Path(__file__).resolve().parent
CHECK_SECONDS = 60


def describe(bundle, project, into):
    """Writes the description of a release of the bundle."""
    # The registry derives the permission to publish from the owner of the repository.
    if not project.owner:
        raise Failure(
            f"`{project.repository}` is no repository that the registry knows; it is like https://github.com/OWNER/NAME"
        )
    package = {
        "registryType": "mcpb",
        "identifier": project.download(bundle.name),
        "version": project.version,
        "fileSha256": hashlib.sha256(bundle.read_bytes()).hexdigest(),
        "transport": {"type": "stdio"},
    }
    server = {
        **json.loads((HERE / "server.json").read_text()),
        "name": f"io.github.{project.owner}/{project.name}",
        "version": project.version,
        "repository": {"url": project.repository, "source": "github"},
        "websiteUrl": project.repository,
        "packages": [package],
    }
    (into / "server.json").write_text(json.dumps(server, indent=2) + "\n")


def validate(folder, installed):
    """Validates `server.json` in a folder with the schema and the rules of the registry, from a package of PyPI."""
    command = [builds.python(installed, "skillsaw"), "-m", "skillsaw", "lint", "--strict", "--type", "mcp-registry", folder]
    child(command, "the check of `server.json`", CHECK_SECONDS)
