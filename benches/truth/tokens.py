"""Counts the tokens of texts with `o200k_base`.

    python tokens.py FILE

FILE is a JSON list of texts. It needs the packages of `packages/tokens.txt`, which include the vocabulary.
"""

import json
import pathlib
import sys

import bpe_openai

encoding = bpe_openai.get_encoding("o200k_base")
texts = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
print(json.dumps([len(encoding.encode_ordinary(text)) for text in texts]))
