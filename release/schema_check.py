"""Validates a file in JSON or YAML with a JSON schema: `schema_check.py SCHEMA FILE`. It runs with `packages/skillsaw.txt`."""

import json
import pathlib
import sys

import jsonschema
import yaml


def main(schema, file):
    # Some publishers' schemas begin with a byte order mark.
    rules = json.loads(pathlib.Path(schema).read_text(encoding="utf-8-sig"))
    validator = jsonschema.validators.validator_for(rules)(rules)
    errors = [
        f"{error.json_path}: {error.message}" for error in validator.iter_errors(yaml.safe_load(pathlib.Path(file).read_text()))
    ]
    if errors:
        sys.exit("\n".join(errors))


if __name__ == "__main__":
    main(*sys.argv[1:])
