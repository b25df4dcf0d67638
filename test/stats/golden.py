"""Golden numbers for src/stats, from scipy 1.17.1 and numpy.

    python3 test/stats/golden.py > test/stats/golden.json

Where scipy has no function for it, the number is worked out here another way than in src/stats: by laying out all pair
averages, by convolution, by integrating a curve.
"""

import json

import numpy as np
from scipy import stats

random = np.random.default_rng(20260101)


def rounded(values):
    return [round(float(value), 6) for value in values]


# Times as recovery has them: most are fast, some wait for a lease.
def times(n, fast, lease, share):
    waits = random.random(n) < share
    return rounded(np.where(waits, lease + 1100 * random.random(n), fast * np.exp(0.3 * random.standard_normal(n))))


small = rounded(random.standard_normal(9) * 3 + 1)
middling = rounded(random.standard_normal(40) * 3 + 0.7)
large = rounded(np.subtract(times(120, 500, 30_000, 0.3), times(120, 400, 30_000, 0.3)))
tied = [0.0, 1.0, 1.0, -1.0, 2.0, 2.0, 3.0, -2.0, 0.0, 5.0, 4.0, -0.5]


def wilcoxon_cut(n, confidence):
    """The greatest k with P(rank sum < k) at most half of what the confidence leaves."""
    law = np.array([1.0])
    for rank in range(1, n + 1):
        step = np.zeros(rank + 1)
        step[[0, rank]] = 0.5
        law = np.convolve(law, step)
    below = np.concatenate([[0], np.cumsum(law)])
    return int(np.max(np.nonzero(below <= (1 - confidence) / 2)))


def hodges_lehmann(sample, confidence):
    sample = np.array(sample)
    i, j = np.triu_indices(len(sample))
    walsh = np.sort((sample[i] + sample[j]) / 2)
    n = len(sample)
    cut = wilcoxon_cut(n, confidence)
    if n > 50:
        cut = int(n * (n + 1) / 4 - stats.norm.isf((1 - confidence) / 2) * np.sqrt(n * (n + 1) * (2 * n + 1) / 24))
    ends = [None, None] if cut == 0 else [float(walsh[cut - 1]), float(walsh[len(walsh) - cut])]
    return {"estimate": float(np.median(walsh)), "lower": ends[0], "upper": ends[1]}


def bonett_price(n, gained, lost, confidence):
    up, down = (gained + 1) / (n + 2), (lost + 1) / (n + 2)
    error = stats.norm.ppf((1 + confidence) / 2) * np.sqrt((up + down - (up - down) ** 2) / (n + 2))
    return {"lower": max(-1, up - down - error), "upper": min(1, up - down + error)}


def mcnemar(n, gained, lost):
    differing = gained + lost
    exact = stats.binomtest(gained, differing).pvalue if differing else 1
    mid = stats.binom(differing, 0.5)
    least = min(gained, lost)
    return {
        "n": n,
        "gained": gained,
        "lost": lost,
        "exact": float(exact),
        "midP": float(min(1, 2 * mid.cdf(least - 1) + mid.pmf(least))),
        **bonett_price(n, gained, lost, 0.95),
    }


def restricted_mean(sample, observed, horizon):
    """Area under scipy's Kaplan-Meier curve; Greenwood's error, event by event."""
    sample, observed = np.array(sample), np.array(observed)
    curve = stats.ecdf(stats.CensoredData(uncensored=sample[observed], right=sample[~observed])).sf
    edges = [0.0, *[q for q in curve.quantiles if q < horizon], horizon]
    heights = [float(curve.evaluate(edge)) for edge in edges[:-1]]
    widths = np.diff(edges)
    variance = 0.0
    for time in sorted({t for t, o in zip(sample, observed) if o and t < horizon}):
        deaths = int(np.sum((sample == time) & observed))
        at_risk = int(np.sum(sample >= time))
        if deaths == at_risk:
            continue
        after = sum(h * (b - max(a, time)) for h, a, b in zip(heights, edges[:-1], edges[1:]) if b > time)
        variance += after**2 * deaths / (at_risk * (at_risk - deaths))
    return {"mean": float(np.dot(heights, widths)), "error": float(np.sqrt(variance))}


watched = times(40, 400, 30_000, 0.3)
cutoff = rounded(random.uniform(5_000, 40_000, 40))
censored = [min(t, c) for t, c in zip(watched, cutoff)]
seen = [t <= c for t, c in zip(watched, cutoff)]


def quantile_ranks(n, p, confidence):
    """The ranks with the fewest values between them; of those, the ones that are surest."""
    law = stats.binom(n, p)
    best = None
    for low in range(1, n):
        for high in range(low + 1, n + 1):
            covered = law.cdf(high - 1) - law.cdf(low - 1)
            if covered >= confidence and (best is None or (high - low, -covered) < best[0]):
                best = ((high - low, -covered), [low, high])
    return best and best[1]


def mean_interval(sample, confidence):
    ci = stats.ttest_1samp(sample, 0).confidence_interval(confidence)
    return {"estimate": float(np.mean(sample)), "lower": float(ci.low), "upper": float(ci.high)}


def proportion(count, n, confidence):
    ci = stats.binomtest(count, n).proportion_ci(confidence, method="exact")
    return {"count": count, "n": n, "confidence": confidence, "lower": float(ci.low), "upper": float(ci.high)}


print(
    json.dumps(
        {
            "samples": {"small": small, "middling": middling, "large": large, "tied": tied},
            "normal": [{"z": z, "cdf": float(stats.norm.cdf(z))} for z in (-6, -2.5, -1, 0, 0.3, 1.96, 4)],
            "normalQuantiles": [{"p": p, "z": float(stats.norm.ppf(p))} for p in (0.001, 0.025, 0.5, 0.9, 0.975)],
            "student": [
                {"t": t, "degrees": d, "cdf": float(stats.t.cdf(t, d))}
                for t, d in ((-3, 1), (0.5, 1), (2, 2), (-1.2, 5), (2.3, 8), (1.97, 199), (1.96, 9_999))
            ],
            "meanInterval": {name: mean_interval(s, 0.95) for name, s in (("small", small), ("large", large))},
            "mcnemar": [mcnemar(*c) for c in ((21, 7, 1), (200, 4, 0), (200, 6, 0), (200, 25, 10), (50, 5, 5), (30, 0, 0), (5_000, 900, 1_000))],
            "clopperPearson": [proportion(*c, 0.95) for c in ((0, 30), (30, 30), (1, 10), (37, 200), (5, 5_000))]
            + [proportion(4, 50, 0.99)],
            "signedRank": {
                "small": float(stats.wilcoxon(small, method="exact").pvalue),
                "middling": float(stats.wilcoxon(middling, method="exact").pvalue),
                "large": float(stats.wilcoxon(large, method="asymptotic").pvalue),
                "tied": float(stats.wilcoxon(tied, method="asymptotic").pvalue),
            },
            "signedRankCuts": [{"n": n, "cut": wilcoxon_cut(n, 0.95)} for n in (1, 5, 6, 7, 10, 25, 50)],
            "hodgesLehmann": {
                name: hodges_lehmann(s, 0.95)
                for name, s in (("small", small), ("middling", middling), ("large", large), ("tied", tied), ("five", small[:5]))
            },
            "quantileRanks": [
                {"n": n, "p": p, "ranks": quantile_ranks(n, p, 0.95)} for n, p in ((6, 0.5), (25, 0.5), (28, 0.9), (29, 0.9), (60, 0.9), (150, 0.1))
            ],
            "signFlip": float(
                stats.permutation_test(
                    (np.array(small), np.zeros(9)), lambda a, b: np.mean(a - b), permutation_type="samples", n_resamples=np.inf
                ).pvalue
            ),
            "restrictedMean": {
                "times": censored,
                "observed": seen,
                "at": [{"horizon": h, **restricted_mean(censored, seen, h)} for h in (1_000, 20_000, 31_000)],
            },
        },
        indent=1,
    )
)
