"""What a server takes at most."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of a server; whoever goes beyond one is told which.

    Args:
        max_batch_tokens: Padded source tokens times beam searched at once; 1 searches every text alone.
        max_input_tokens: Tokens of a text.
        max_queue: Texts that wait.
        timeout: Seconds from when a request is there to its answer; its body has as many to come.
        max_body_bytes: Bytes of a request's body.
        max_texts: Texts of a request.
        max_beam: Beam size.
    """

    max_batch_tokens: int = 4096
    max_input_tokens: int = 500
    max_queue: int = 512
    timeout: float = 30.0
    max_body_bytes: int = 1_000_000
    max_texts: int = 256
    max_beam: int = 20
