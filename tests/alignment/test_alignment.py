import numpy as np

from seq2see.alignment import Alignment, label


def test_links_and_pharaoh() -> None:
    weights = np.array([[0.1, 0.9], [0.8, 0.2], [0.4, 0.6]], dtype=np.float32)
    alignment = Alignment(["a", "b"], ["x", "y", "z"], weights)
    assert alignment.links() == [(1, 0), (0, 1), (1, 2)]
    assert alignment.pharaoh() == "1-0 0-1 1-2"


def test_an_empty_alignment_has_no_links() -> None:
    assert Alignment([], [], np.zeros((0, 0), dtype=np.float32)).pharaoh() == ""


def test_labels_show_what_cannot_be_seen() -> None:
    assert label(" word") == "word"
    assert label(" ") == "␣"
    assert label("a b") == "a␣b"
    assert label("\t") == "\\u0009"
    assert label("\u2028") == "\\u2028"
    assert label("語") == "語"
