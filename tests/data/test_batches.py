from hypothesis import given, settings
from hypothesis import strategies as st

from seq2see.data.batches import Example, make_batch
from seq2see.data.bucketing import cut_by_tokens, example_lengths, training_batches


def test_targets_are_shifted_by_one() -> None:
    batch = make_batch([Example([5, 6], [7, 8, 9]), Example([4], [5])])
    assert batch.source.ids.tolist() == [[5, 6], [4, 0]]
    assert batch.source.lengths.tolist() == [2, 1]
    assert batch.decoder_input.tolist() == [[2, 7, 8, 9], [2, 5, 0, 0]]
    assert batch.labels.tolist() == [[7, 8, 9, 3], [5, 3, 0, 0]]


@settings(deadline=None, derandomize=True)
@given(st.lists(st.integers(1, 50), max_size=60), st.integers(1, 200))
def test_batches_keep_to_their_size_and_lose_nothing(lengths: list[int], batch_tokens: int) -> None:
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    batches = cut_by_tokens(lengths, order, batch_tokens)
    assert [index for batch in batches for index in batch] == order
    for batch in batches:
        assert len(batch) * max(lengths[index] for index in batch) <= batch_tokens or len(batch) == 1


def test_an_epoch_has_every_example_once_and_depends_on_seed_and_epoch() -> None:
    examples = [Example([4] * (1 + number % 7), [5] * (number % 5)) for number in range(100)]
    first = training_batches(example_lengths(examples), 40, seed=1, epoch=1)
    assert sorted(index for batch in first for index in batch) == list(range(100))
    assert first == training_batches(example_lengths(examples), 40, seed=1, epoch=1)
    assert first != training_batches(example_lengths(examples), 40, seed=1, epoch=2)
    assert first != training_batches(example_lengths(examples), 40, seed=2, epoch=1)
