"""Ranking hypotheses of different lengths."""


def length_penalty(length: int, alpha: float) -> float:
    r"""The number by which a log-probability is divided.

    .. math:: lp(Y) = \left(\frac{5 + |Y|}{6}\right)^{\alpha}

    Args:
        length: Tokens of the hypothesis, EOS included.
        alpha: 0 leaves log-probabilities as they are; larger values favour longer outputs.

    References:
        Wu et al. 2016, §7, eq. 14 (arXiv:1609.08144).
    """
    return float(((5.0 + length) / 6.0) ** alpha)
