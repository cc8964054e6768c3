import pytest

from seq2see.data.token_type import choose_token_type


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["hozzájárul", "kerül", "egyértelműen"] * 50, "char"),
        (["h o zː aː j aː r u l", "k ɛ r y l", "a b ts d"] * 50, "space"),
        (["Tom is here.", "I don't know where she lives now."] * 50, "bpe"),
        (["你好，世界。", "我不知道"] * 50, "char"),
        (["これはペンです。", "Tom は来た"] * 50, "char"),
        (["ภาษาไทย"] * 50, "char"),
        ([f"나는 학교{n}에 {n}번 갑니다" for n in range(50)], "bpe"),
        ([""], "char"),
    ],
)
def test_choice(texts: list[str], expected: str) -> None:
    assert choose_token_type(texts).token_type == expected
