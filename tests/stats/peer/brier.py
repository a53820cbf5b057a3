#!/usr/bin/env python3
"""A second computation of Brier scores, their parts and the slope of calibration, and the runs it is made for.

usage: python3 tests/stats/peer/brier.py > tests/stats/peer/brier.json && deno fmt tests/stats/peer/brier.json

Needs the standard library alone. Scores and parts are exact: shares are taken as the binary fractions that they are, sums are
of fractions, and variances and covariances are sums over pairs. Slope and intercept have 20 digits: the intercept at which
as many are right as expected, by regula falsi, inside the slope at which their logits are, by regula falsi.
"""
import json, random, sys
from collections import defaultdict
from decimal import Decimal, getcontext
from fractions import Fraction
from itertools import combinations

getcontext().prec = 40
ROUNDS, SEATS = 2, 4


def make_runs(seed, unit):
    """Runs whose shares are multiples of 1/unit. Some questions have no answer, and some runs no confidences."""
    dice = random.Random(seed)
    runs = []
    for q in range(7):
        options = 3 + q % 3
        answer = None if q == 4 else dice.randrange(options)
        for r in range(2):
            def shares():
                cuts = [0] + sorted(dice.randint(0, unit) for _ in range(options - 1)) + [unit]
                return [(b - a) / unit for a, b in zip(cuts, cuts[1:])]

            run = {"question": f"q{q}", "agents": [[shares() for _ in range(SEATS)] for _ in range(ROUNDS)]}
            if answer is not None:
                run["answer"] = answer
            if (q, r) != (5, 1):
                run["confidence"] = [[dice.randint(0, 20) * 5 for _ in range(SEATS)] for _ in range(ROUNDS)]
            runs.append(run)
    return runs


def forecasts_of(run, of, t):
    """(series, forecast, outcome) of one run: each option is a series of its own, and all confidences are one."""
    agents, answer = run["agents"][t], run["answer"]
    if of == "confidence":
        for shares, percent in zip(agents, run.get("confidence", [[]] * ROUNDS)[t]):
            yield "all", Fraction(percent, 100), int(shares.index(max(shares)) == answer)
    else:
        for k in range(len(agents[0])):
            yield k, sum(Fraction(shares[k]) for shares in agents) / len(agents), int(k == answer)


def brier(runs, of, t, bins=None):
    answered = [run for run in runs if "answer" in run]
    series = defaultdict(list)
    for run in answered:
        for k, p, o in forecasts_of(run, of, t):
            series[k].append((p, o))
    n = len(series["all"]) if of == "confidence" else len(answered)
    sums = dict.fromkeys(["score", "reliability", "resolution", "uncertainty", "withinVariance", "withinCovariance"], Fraction(0))
    disagreeing = lambda some: Fraction(sum(a[1] != b[1] for a, b in combinations(some, 2)), len(some))
    for all_ in series.values():
        groups = defaultdict(list)
        for p, o in all_:
            groups[p if bins is None else min(bins - 1, p * bins // 1)].append((p, o))
        sums["score"] += sum((p - o) ** 2 for p, o in all_)
        sums["uncertainty"] += disagreeing(all_)
        sums["resolution"] += disagreeing(all_) - sum(map(disagreeing, groups.values()))
        for group in groups.values():
            pairs = list(combinations(group, 2))
            sums["reliability"] += sum(p - o for p, o in group) ** 2 / len(group)
            sums["withinVariance"] += Fraction(sum((a[0] - b[0]) ** 2 for a, b in pairs), len(group))
            sums["withinCovariance"] += 2 * Fraction(sum((a[0] - b[0]) * (a[1] - b[1]) for a, b in pairs), len(group))
    parts = sums["reliability"] - sums["resolution"] + sums["uncertainty"] + sums["withinVariance"] - sums["withinCovariance"]
    assert parts == sums["score"], "the parts add up, exactly"
    names = [name for name in sums if bins is not None or not name.startswith("within")]
    return {"forecasts": n, **{name: float(sums[name] / n) for name in names}}


def root(f, low, high):
    """Where a falling f is zero: by ten halvings, then by regula falsi with halved ends (Illinois)."""
    a, b = f(low), f(high)
    assert a > 0 > b
    kept = None
    for step in range(200):
        middle = (low + high) / 2 if step < 10 else (low * b - high * a) / (b - a)
        value = f(middle)
        if abs(value) < Decimal("1e-24") or high - low < Decimal("1e-24"):
            return middle
        if value > 0:
            low, a, b = middle, value, b / 2 if kept == high else b
            kept = high
        else:
            high, b, a = middle, value, a / 2 if kept == low else a
            kept = low
    raise ArithmeticError("no root found")


def calibration(runs, t):
    cells = defaultdict(lambda: [0, 0])
    for run in runs:
        if "answer" in run:
            for _, p, o in forecasts_of(run, "confidence", t):
                p = min(Fraction(99, 100), max(Fraction(1, 100), p))
                odds = p / (1 - p)
                x = (Decimal(odds.numerator) / Decimal(odds.denominator)).ln()
                cells[x] = [cells[x][0] + 1, cells[x][1] + o]
    over = lambda a, b, x: cells[x][1] - cells[x][0] / (1 + (-a - b * x).exp())
    intercept = lambda b: root(lambda a: sum(over(a, b, x) for x in cells), Decimal(-20), Decimal(20))

    def moment(b):
        a = intercept(b)
        return sum(over(a, b, x) * x for x in cells)

    slope = root(moment, Decimal(-4), Decimal(4))
    return {"forecasts": sum(n for n, _ in cells.values()), "slope": float(slope), "intercept": float(intercept(slope))}


def fixture():
    # By value, means of four seats must be equal as numbers too: 64ths are. In bins any shares do.
    sets = {"64ths": make_runs(1, 64), "thousandths": make_runs(2, 1000)}
    scores, slopes = [], []
    for name, runs in sets.items():
        for t in range(ROUNDS):
            for of in ["shares", "confidence"]:
                for bins in [None, 1, 4, 10]:
                    if bins is not None or of == "confidence" or name == "64ths":
                        options = {"of": of, "round": t + 1, **({} if bins is None else {"bins": bins})}
                        scores.append({"runs": name, "options": options, "expected": brier(runs, of, t, bins)})
            slopes.append({"runs": name, "round": t + 1, "expected": calibration(runs, t)})
    return {"schema": "brier-peer/1", "sets": sets, "scores": scores, "slopes": slopes}


if __name__ == "__main__":
    json.dump(fixture(), sys.stdout)
