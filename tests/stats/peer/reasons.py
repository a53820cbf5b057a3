#!/usr/bin/env python3
"""A second computation of distances between reasons, and the texts it is made for.

usage: python3 tests/stats/peer/reasons.py > tests/stats/peer/reasons.json && deno fmt tests/stats/peer/reasons.json

Needs the standard library alone. Logarithms and roots have 40 digits, shares of tags are fractions; the cosine is found from
the distance of unit vectors, |u - v|^2 / 2, and not from their product.
"""
import json, random, re, unicodedata
from decimal import Decimal, getcontext
from fractions import Fraction
from itertools import combinations
from pathlib import Path

getcontext().prec = 40
ROUNDS, SEATS, RUNS = 3, 2, 6
STOPPED = set(json.loads((Path(__file__).parents[3] / "lib/stats/stop_words.json").read_text()))
WORDS = "Costs rights shared; the and of premium, pool WAIT-lists doctor's über Größe 医療 क्षेत्र 12 3.5 ﬁscal".split()


def make_runs(seed):
    """Runs with stop words, marks, other scripts, an entry without a word and one that is missing."""
    dice = random.Random(seed)
    runs = []
    for r in range(RUNS):
        texts = [[" ".join(dice.choice(WORDS) for _ in range(dice.randint(4, 12))) for _ in range(SEATS)] for _ in range(ROUNDS)]
        tags = [[[dice.choice("abcd"), dice.choice("abcd")] for _ in range(SEATS)] for _ in range(ROUNDS)]
        runs.append({"texts": texts, "tags": tags, "decision": "ABA"[r % 3]})
    runs[1]["texts"][1][0] = "and the, of!"
    runs[2]["texts"][2][1] = None
    return runs


def plain(text):
    text = unicodedata.normalize("NFKC", text)
    return "".join(c for c in text if unicodedata.category(c) != "Cf").lower()


def words(text):
    found, word = [], ""
    for c in plain(text) + " ":
        kind = unicodedata.category(c)[0]
        if kind in "LN" or (kind == "M" and word) or (c == "'" and word):
            word += c
        elif word:
            found.append(word.strip("'"))
            word = ""
    return [w for w in found if w not in STOPPED]


def characters(text):
    own = re.sub(r"\s+", " ", plain(text)).strip()
    return [own[i:i + 3] for i in range(len(own) - 2)] or ([own] if own else [])


def vectors(texts, cut):
    terms = [cut(t or "") for t in texts]
    n = sum(1 for own in terms if own)
    idf = {t: Decimal(Decimal(1 + n) / (1 + sum(t in own for own in terms))).ln() + 1 for own in terms for t in own}
    made = []
    for own in terms:
        raw = {t: own.count(t) * idf[t] for t in own}
        length = sum(w * w for w in raw.values()).sqrt() if raw else None
        made.append({t: w / length for t, w in raw.items()} if raw else None)
    return made


def cosine_distance(u, v):
    return sum((u.get(t, 0) - v.get(t, 0)) ** 2 for t in u.keys() | v.keys()) / 2


def jaccard_distance(a, b):
    both = sum(1 for t in set(a) if t in b)
    return Fraction(len(set(a)) + len(set(b)) - 2 * both, len(set(a)) + len(set(b)) - both)


def mean(values):
    known = [v for v in values if v is not None]
    return sum(known) / len(known) if known else None


def measured(runs, items, distance):
    at = lambda r, t, s: items[(r * ROUNDS + t) * SEATS + s]
    d = lambda a, b: None if a is None or b is None else distance(a, b)
    pairs = list(combinations(range(RUNS), 2))
    between = lambda t: mean(mean(d(at(a, t, s), at(b, t, s)) for s in range(SEATS)) for a, b in pairs)
    repeats = lambda t: mean(mean(d(at(r, t, s), at(r, t - 1, s)) for s in range(SEATS)) for r in range(RUNS))
    among = lambda t: mean(d(at(r, t, 0), at(r, t, 1)) for r in range(RUNS))
    whole = {(a, b): mean(d(at(a, t, s), at(b, t, s)) for t in range(ROUNDS) for s in range(SEATS)) for a, b in pairs}
    alike = mean(v for (a, b), v in whole.items() if runs[a]["decision"] == runs[b]["decision"])
    different = mean(v for (a, b), v in whole.items() if runs[a]["decision"] != runs[b]["decision"])
    rows = {
        "runs": [between(t) for t in range(ROUNDS)],
        "rounds": [repeats(t) for t in range(1, ROUNDS)],
        "agents": [among(t) for t in range(ROUNDS)],
        "verdict": [alike, different, different - alike],
    }
    return {name: [None if v is None else float(v) for v in own] for name, own in rows.items()}


runs = make_runs(7)
texts = [t for run in runs for row in run["texts"] for t in row]
tags = [t for run in runs for row in run["tags"] for t in row]
expected = {
    "words": measured(runs, vectors(texts, words), cosine_distance),
    "characters": measured(runs, vectors(texts, characters), cosine_distance),
    "tags": measured(runs, tags, jaccard_distance),
}
print(json.dumps({"runs": runs, "expected": expected}, ensure_ascii=False))
