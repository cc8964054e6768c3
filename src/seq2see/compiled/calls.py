"""Compiled work as functions of tensors."""

import torch
from torch import Tensor


def additive_look(query: Tensor, keys: Tensor, v: Tensor, values: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    r"""Weights (B, S) and context (B, C) of additive attention.

    .. math:: \alpha = \operatorname{softmax}(2 v \cdot \sigma(2q + k_j)) \qquad c = \sum_j \alpha_j v_j

    Args:
        query: q, (B, A).
        keys: k, (B, S, A).
        v: (A,).
        values: (B, S, C).
        mask: True where a position is real, (B, S).

    Raises:
        ValueError: Shapes do not agree.
    """
    from seq2see.compiled import looks, threads

    _expect((query, len(keys), keys.shape[2]), (v, keys.shape[2]), (values, *keys.shape[:2], values.shape[2]))
    query, keys, v, values = _plain(query, keys, v, values)
    mask = mask.expand(keys.shape[:2]).contiguous()
    weights, context = keys.new_empty(keys.shape[:2]), keys.new_empty(len(keys), values.shape[2])
    threads.run(looks.look, *keys.shape, values.shape[2], query, keys, values, v, mask, weights, context)
    return weights, context


def additive_look_back(
    of_weights: Tensor,
    of_context: Tensor,
    weights: Tensor,
    query: Tensor,
    keys: Tensor,
    v: Tensor,
    values: Tensor,
    of_keys: Tensor,
) -> tuple[Tensor, Tensor]:
    """The gradients of query and v by those of weights and context, (B, A) and (A,).

    That of the keys, but for a factor of 4v, is added to ``of_keys``, which is of one piece. Raises as
    ``additive_look``.
    """
    from seq2see.compiled import looks, threads

    _expect((query, len(keys), keys.shape[2]), (v, keys.shape[2]), (values, *keys.shape[:2], values.shape[2]))
    _expect((of_weights, *keys.shape[:2]), (weights, *keys.shape[:2]), (of_context, len(keys), values.shape[2]))
    _expect((of_keys, *keys.shape))
    query, keys, v, values = _plain(query, keys, v, values)
    of_weights, of_context, weights = _plain(of_weights, of_context, weights)
    of_query, of_v = keys.new_empty(2, len(keys), keys.shape[2])
    sizes = *keys.shape, values.shape[2]
    threads.run(
        looks.look_back, *sizes, query, keys, values, v, of_context, of_weights, weights, of_query, of_keys, of_v
    )
    return of_query, of_v.sum(dim=0)


def lstm_step(from_input: Tensor, from_hidden: Tensor, cell: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Hidden state and cell (B, H) after a step, its gates (B, 4 H) and the tanh of the cell.

    Args:
        from_input: What the gates are made of, (B, 4 H).
        from_hidden: What is added to it.
        cell: Before the step, (B, H).

    Raises:
        ValueError: Shapes do not agree.
    """
    from seq2see.compiled import gates, threads

    gates_shape = len(cell), 4 * cell.shape[1]
    _expect((from_input, *gates_shape), (from_hidden, *gates_shape))
    from_input, from_hidden, cell = _plain(from_input, from_hidden, cell)
    made, (hidden, after, shown) = cell.new_empty(gates_shape), cell.new_empty(3, *cell.shape)
    threads.run(gates.gates, *cell.shape, from_input, from_hidden, cell, made, after, shown, hidden)
    return hidden, after, made, shown


def lstm_step_back(
    of_hidden: Tensor, of_cell: Tensor, cell: Tensor, made: Tensor, shown: Tensor
) -> tuple[Tensor, Tensor]:
    """The gradients of what gates are made of (B, 4 H) and of the cell before.

    Args:
        of_hidden: Gradient of the hidden state.
        of_cell: Gradient of the cell.
        cell: As in ``lstm_step``.
        made: The gates, from ``lstm_step``.
        shown: The tanh of the cell, from ``lstm_step``.

    Raises:
        ValueError: Shapes do not agree.
    """
    from seq2see.compiled import gates, threads

    _expect((made, len(cell), 4 * cell.shape[1]), *((x, *cell.shape) for x in (of_hidden, of_cell, shown)))
    of_hidden, of_cell, cell, made, shown = _plain(of_hidden, of_cell, cell, made, shown)
    of_gates, of_before = torch.empty_like(made), torch.empty_like(cell)
    threads.run(gates.gates_back, *cell.shape, of_hidden, of_cell, cell, made, shown, of_gates, of_before)
    return of_gates, of_before


def cross_entropy_(
    scores: Tensor, bias: Tensor, labels: Tensor, label_smoothing: float
) -> tuple[Tensor, Tensor, Tensor]:
    """Sums of −log p of the labels and of the mean −log p, and the gradient of the bias, (V,).

    Args:
        scores: (N, V), of one piece, in bfloat16; they become their gradient.
        bias: Added to them, (V,).
        labels: (N,).
        label_smoothing: Of the loss.

    Raises:
        IndexError: A label is not one of the columns.
        ValueError: Shapes do not agree, or scores are not of one piece and in bfloat16.
    """
    from seq2see.compiled import scores as kernels
    from seq2see.compiled import threads

    _expect((bias, scores.shape[1]), (labels, len(scores)))
    if not scores.is_contiguous() or scores.dtype != torch.bfloat16:
        raise ValueError("scores become their gradient in place: they are to be of one piece, in bfloat16")
    if len(labels) and not 0 <= int(labels.min()) <= int(labels.max()) < len(bias):
        raise IndexError(f"labels from {int(labels.min())} to {int(labels.max())}, where there are {len(bias)} scores")
    groups = -(-len(scores) // kernels.ROWS_TOGETHER)
    losses, of_bias = bias.new_empty(len(scores), 2), bias.new_zeros(groups, len(bias))
    smoothing = bias.new_tensor([label_smoothing])
    threads.run(
        kernels.cross_entropy,
        groups,
        *scores.shape,
        scores,
        *_plain(bias),
        labels.long().contiguous(),
        smoothing,
        losses,
        of_bias,
    )
    nll, uniform = losses.sum(dim=0)
    return nll, uniform, of_bias.sum(dim=0)


def add_(sums: Tensor, added: Tensor) -> Tensor:
    """As ``sums.add_(added)``.

    Args:
        sums: In float32.
        added: In bfloat16.

    Raises:
        ValueError: They have other shapes, types, or are not of one piece.
    """
    from seq2see.compiled import sums as kernels
    from seq2see.compiled import threads

    _expect((added, *sums.shape))
    if not (sums.is_contiguous() and added.is_contiguous() and added.dtype == torch.bfloat16):
        raise ValueError("sums are changed in place: both are to be of one piece, what is added in bfloat16")
    threads.run(kernels.add, sums.numel(), sums, added)
    return sums


def dropped(x: Tensor, drawn: Tensor, least: int, scale: float) -> Tensor:
    """Values of x where what was drawn is not less than ``least``, times ``scale``; elsewhere 0.

    Args:
        x: In float32 or bfloat16.
        drawn: A number for each of x, int16, of one piece.
        least: Smallest that keeps.
        scale: Of what is kept.

    Raises:
        ValueError: There are other than so many numbers, or not of one piece, or of other types.
    """
    from seq2see.compiled import drops, threads

    works = {torch.float32: drops.of_float32, torch.bfloat16: drops.of_bfloat16}
    if drawn.numel() != x.numel() or drawn.dtype != torch.int16 or not drawn.is_contiguous() or x.dtype not in works:
        raise ValueError(
            f"got {drawn.numel()} drawn numbers of {drawn.dtype} for {x.numel()} of {x.dtype}; as many of int16, "
            "of one piece, are wanted, for numbers of float32 or bfloat16"
        )
    x = x.contiguous()
    made, factor = torch.empty_like(x), torch.tensor([scale], dtype=torch.float32, device="cpu")
    threads.run(works[x.dtype], x.numel(), least, factor, x, drawn, made)
    return made


def _expect(*shaped: tuple[Tensor, *tuple[int, ...]]) -> None:
    """Whatever has another shape than it is said to have would be read, or written, past its end."""
    for tensor, *shape in shaped:
        if list(tensor.shape) != shape:
            raise ValueError(f"got a tensor of {list(tensor.shape)}, where {shape} is wanted")


def _plain(*tensors: Tensor) -> tuple[Tensor, ...]:
    """As kernels read them: in float32, of one piece."""
    return tuple(tensor.float().contiguous() for tensor in tensors)
