"""Every step of the decoder: what it might have written, and where it looked."""

from typing import NamedTuple

from seq2see.bundle import Bundle
from seq2see.data.batches import Example
from seq2see.data.special import BOS, EOS, NEVER_PRODUCED
from seq2see.inference.forced import forced
from seq2see.inference.translation import Translation
from seq2see.seq2seq import Model


class Alternative(NamedTuple):
    """A token that might have been written.

    Args:
        token: As text.
        id: In the target vocabulary.
        prob: Its probability.
    """

    token: str
    id: int
    prob: float


class Step(NamedTuple):
    """A step of the decoder.

    Args:
        token: What was written; '' for the end.
        id: In the target vocabulary.
        prob: Its probability.
        weights: What was attended to, for each of the source's tokens.
        alternatives: The most probable tokens at this step, best first.
    """

    token: str
    id: int
    prob: float
    weights: list[float]
    alternatives: list[Alternative]


def steps(model: Model, bundle: Bundle, output: Translation, count: int) -> list[Step]:
    """The steps that write an output, its end the last, by forced decoding.

    Args:
        model: The model, or several together.
        bundle: Its tokenizers and configuration.
        output: One that the model has searched.
        count: Alternatives at each step at most.
    """
    tokenizers = bundle.tokenizers
    source = tokenizers.encode_sources([output.source])[0]
    example = Example(source.ids, list(output.token_ids), source.tags, source.copy_ids)
    ((_, batch, found),) = forced(model, [example], [0])
    probs = found.logits[0].double().softmax(dim=-1)
    labels = batch.labels[0].tolist()
    possible = probs.clone()
    possible[:, list(NEVER_PRODUCED)] = -1.0
    best = possible.topk(min(count, probs.shape[-1] - len(NEVER_PRODUCED)), dim=-1)

    def text(number: int) -> str:
        # behind another token, so that a word keeps the space before it
        return "" if number == EOS else tokenizers.target.surface([BOS, number], source.copied)[-1]

    made = []
    for number, (label, row) in enumerate(zip(labels, found.weights[0], strict=True)):
        alternatives = [
            Alternative(text(one), one, prob)
            for one, prob in zip(best.indices[number].tolist(), best.values[number].tolist(), strict=True)
        ]
        weights = row[found.mask[0]].tolist()
        token = output.tokens[number] if number < len(output.tokens) else text(label)
        made.append(Step(token, label, float(probs[number, label]), weights, alternatives))
    return made
