"""Letters as their parts."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from seq2see.alignment.words import token_spans
from seq2see.decomposition import decompose


def test_hangul_and_marks() -> None:
    assert decompose("각é") == ("\u1100\u1161\u11a8e\u0301", [0, 0, 0, 1, 1])
    assert decompose("ab") == ("ab", [0, 1])


@given(st.text(alphabet=st.sampled_from("aé각ậ\u0301\u0323\u0307 q"), max_size=12) | st.text(max_size=8))
def test_it_is_the_form_of_the_standard(text: str) -> None:
    parts, origins = decompose(text)
    assert parts == unicodedata.normalize("NFD", text)
    assert len(parts) == len(origins)
    assert set(origins) == set(range(len(text)))


def test_parts_stand_where_their_letter_does() -> None:
    assert token_spans(["\u1100", "\u1161", "\u11a8", " ", "é"], "각 é") == [(0, 1), (0, 1), (0, 1), (1, 2), (2, 3)]
    assert token_spans(["x", "", "PST"], "x") == [(0, 1), (1, 1), None]
