import numpy as np

from seq2see.alignment import Alignment
from seq2see.alignment.words import links_between_tokens, merge_to_words, token_spans


def test_tokens_are_found_where_they_stand() -> None:
    assert token_spans(["the", " the", "y"], "the they") == [(0, 3), (3, 7), (7, 8)]
    assert token_spans(["a", "b", "V", "PL"], "ab") == [(0, 1), (1, 2), None, None]
    assert token_spans(["x", "y"], "x  y") == [(0, 1), (3, 4)]


def test_hand_worked_merge_of_parts_of_words() -> None:
    weights = np.array([[0.5, 0.25, 0.25], [0.25, 0.25, 0.5], [0.0, 0.0, 1.0]], dtype=np.float32)
    alignment = Alignment(["un", "do", " it"], ["auf", "lösen", " das"], weights)
    merged = merge_to_words(alignment, "undo it", "auflösen das")
    assert merged.source_tokens == ["undo", "it"]
    assert merged.target_tokens == ["auflösen", "das"]
    first = np.array([0.5 + 0.25 + 0.25 + 0.25, 0.25 + 0.5])
    np.testing.assert_allclose(merged.weights, [first / first.sum(), [0.0, 1.0]], rtol=1e-6)


def test_characters_and_tags() -> None:
    weights = np.eye(5, dtype=np.float32)
    alignment = Alignment(["a", "b", " ", "c", "PL"], ["a", "b", " ", "c", "s"], weights)
    merged = merge_to_words(alignment, "ab c", "ab cs")
    np.testing.assert_allclose(merged.weights, np.eye(2))


def test_links_between_words_become_links_between_their_tokens() -> None:
    links = links_between_tokens(
        [(0, 1), (1, 0)], ["un", "do", " it"], ["es", " rück", "gängig"], "undo it", "es rückgängig"
    )
    assert links == [(0, 1), (0, 2), (1, 1), (1, 2), (2, 0)]


def test_spaces_between_words_are_linked_with_nothing() -> None:
    assert links_between_tokens([(1, 0)], ["a", " ", "b"], ["c"], "a b", "c") == [(2, 0)]
