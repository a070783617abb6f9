"""Ranks tools for a question by the words that the question shares with the tools' names and descriptions (BM25)."""

import collections
import math
import re

SATURATION, LENGTH_WEIGHT = 1.2, 0.75
# Lucene's English stop words.
COMMON = set(
    "a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was "
    "will with".split()
)


def words(text):
    return [word for word in re.findall(r"[a-z0-9]+", text.lower()) if word not in COMMON]


def ranked(tools, question):
    """Returns the names of the tools, starting with the best match."""
    texts = {tool["name"]: words(f"{tool['name']} {tool.get('description', '')}") for tool in tools}
    usual = sum(map(len, texts.values())) / len(texts)
    known_by = collections.Counter(word for text in texts.values() for word in set(text))

    def weight(text):
        counts = collections.Counter(text)
        size = SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * len(text) / usual)
        return sum(
            math.log(1 + (len(texts) - known_by[word] + 0.5) / (known_by[word] + 0.5))
            * (counts[word] * (SATURATION + 1) / (counts[word] + size))
            for word in set(words(question))
        )

    return sorted(texts, key=lambda name: -weight(texts[name]))
