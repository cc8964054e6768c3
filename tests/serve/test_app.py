"""What the server answers."""

import json
import math
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from seq2see.inference import Translator
from seq2see.serve import Limits, Served, create_app
from tests.small import small_translator

LIMITS = Limits(max_input_tokens=30, max_texts=4, max_body_bytes=5_000)
TRANSLATE = "/v1/translate"


@pytest.fixture(scope="module")
def translator() -> Translator:
    return small_translator()


@pytest.fixture(scope="module")
def client(translator: Translator) -> Iterator[TestClient]:
    app = create_app([Served("small", translator, ("abc",)), Served("other", small_translator())], limits=LIMITS)
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


def test_answers_are_the_translators(client: TestClient, translator: Translator) -> None:
    texts = ["abc", "", "cab", "bb"]
    body = client.post(TRANSLATE, json={"text": texts, "beam": 3, "n_best": 2, "alignments": True}).json()
    assert body["model"] == "small"
    wanted = translator.translate_n_best(texts, beam=3, n_best=2)
    for text, found, outputs in zip(texts, body["translations"], wanted, strict=True):
        assert found["source"] == text
        assert [one["text"] for one in found["outputs"]] == [one.text for one in outputs]
        for one, output in zip(found["outputs"], outputs, strict=True):
            assert one["log_prob"] == pytest.approx(output.log_prob, abs=1e-5)
            assert one["score"] == pytest.approx(output.score, abs=1e-5)
            assert one["alignment"]["target_tokens"] == output.tokens
            assert one["alignment"]["source_tokens"] == output.source_tokens


def test_one_text_a_chosen_model_and_a_penalty(client: TestClient, translator: Translator) -> None:
    body = client.post(TRANSLATE, json={"text": "abc", "model": "other", "length_penalty": 0}).json()
    assert body["model"] == "other"
    output = body["translations"][0]["outputs"][0]
    assert output["alignment"] is None
    assert output["score"] == pytest.approx(output["log_prob"])


def test_an_output_begins_as_asked(client: TestClient, translator: Translator) -> None:
    prefix = translator.tokenizers.target.surface([5, 6])
    for asked in ({"prefix": "".join(prefix)}, {"prefix_ids": [5, 6]}, {"prefix": ["".join(prefix)]}):
        found = client.post(TRANSLATE, json={"text": "abc", "alignments": True, **asked}).json()["translations"][0]
        assert found["outputs"][0]["alignment"]["target_tokens"][:2] == prefix
    found = client.post(TRANSLATE, json={"text": "abc", "prefix_ids": [3]}).json()["translations"][0]
    assert found["outputs"] == []
    assert "does not know" in found["problem"]


def test_steps_say_what_else_might_have_been_written(client: TestClient, translator: Translator) -> None:
    asked = {"text": "abcab", "alternatives": 3, "alignments": True, "beam": 1}
    output = client.post(TRANSLATE, json=asked).json()["translations"][0]["outputs"][0]
    steps = output["steps"]
    assert [step["token"] for step in steps] == [*output["alignment"]["target_tokens"], ""]
    for step, log_prob in zip(steps, output["token_log_probs"], strict=True):
        assert math.log(step["prob"]) == pytest.approx(log_prob, abs=1e-4)
        assert sum(step["weights"]) == pytest.approx(1.0, abs=1e-3)
        probs = [one["prob"] for one in step["alternatives"]]
        assert len(probs) == 3
        assert probs == sorted(probs, reverse=True)
    for row, step in zip(output["alignment"]["weights"], steps, strict=False):
        assert row == pytest.approx(step["weights"], abs=1e-4)


def test_lines_come_one_by_one(client: TestClient) -> None:
    headers = {"accept": "application/x-ndjson"}
    texts = ["abc", "ca", "b"]
    answer = client.post(TRANSLATE, json={"text": texts}, headers=headers)
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert [line["source"] for line in lines] == texts
    assert lines == client.post(TRANSLATE, json={"text": texts}).json()["translations"]


def test_scores_and_alignments_of_given_pairs(client: TestClient, translator: Translator) -> None:
    pairs = {"source": ["abc", ""], "target": ["cb", "a"]}
    scores = client.post("/v1/score", json=pairs).json()["scores"]
    wanted = translator.score(["abc"], ["cb"])[0]
    assert scores[0]["log_prob"] == pytest.approx(wanted.log_prob, abs=1e-5)
    assert scores[1] == {"log_prob": None, "token_log_probs": [], "problem": "the source has no tokens"}
    body = client.post("/v1/align", json={**pairs, "by": "attention"}).json()
    assert body["alignments"][1] == {"alignment": None, "problem": "the source has no tokens"}
    for row, other in zip(body["alignments"][0]["alignment"]["weights"], wanted.alignment.weights, strict=True):
        assert row == pytest.approx(list(other), abs=1e-4)
    assert client.post("/v1/align", json=pairs).json()["alignments"][0]["alignment"]["links"] == "0-0"


def test_tags_are_no_words() -> None:
    tagged = small_translator("model.encoder.tags=attended")
    with TestClient(create_app([Served("tagged", tagged)])) as client:
        asked = {"source": "abc\tV;PST", "target": "cb"}
        found = client.post("/v1/align", json=asked).json()["alignments"][0]["alignment"]
        assert found["source_tokens"] == ["a", "b", "c", "V", "PST"]
        assert found["links"] == "0-0"
        output = client.post(TRANSLATE, json={"text": "abc\tV;PST", "alignments": True}).json()["translations"][0][
            "outputs"
        ][0]
        assert {link.split("-")[0] for link in output["alignment"]["links"].split()} == {"0"}


def test_what_the_server_says_of_itself(client: TestClient) -> None:
    models = client.get("/v1/models").json()["models"]
    assert [one["name"] for one in models] == ["small", "other"]
    assert models[0]["examples"] == ["abc"]
    assert client.get("/healthz").json() == {"status": "ok"}
    assert client.get("/readyz").json() == {"status": "ready"}
    metrics = client.get("/metrics").text
    assert 'seq2see_requests_total{path="/healthz",status="200"}' in metrics
    assert "seq2see_batch_texts_count" in metrics
    assert "/v1/translate" in client.get("/openapi.json").json()["paths"]


@pytest.mark.parametrize("path", ["/", "/app.js", "/style.css", "/healthz", "/v1/translate", "/nothing"])
def test_headers_of_every_answer(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert "unsafe-inline" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert "access-control-allow-origin" not in headers


BAD = [
    (b"", 422, "body"),
    (b"null", 422, "body"),
    (b"{", 400, "JSON"),
    (b"[]", 422, "body"),
    (b'{"text": "\xff"}', 400, ""),
    (b"[" * 4_000, 400, ""),
    (b'{"text": 3}', 422, "text"),
    (b'{"text": [["a"]]}', 422, "text"),
    (b'{"text": "a", "beam": "5"}', 422, "beam"),
    (b'{"text": "a", "beam": true}', 422, "beam"),
    (b'{"text": "a", "beam": 2.5}', 422, "beam"),
    (b'{"text": "a", "beam": 0}', 422, "beam"),
    (b'{"text": "a", "beam": 1000}', 422, "beam size: 1,000, the limit of this server is 20"),
    (b'{"text": "a", "length_penalty": NaN}', 422, "length_penalty"),
    (b'{"text": "a", "length_penalty": Infinity}', 422, "length_penalty"),
    (b'{"text": "a\\u0000"}', 422, "U+0000"),
    (b'{"text": "\\ud800"}', 422, "surrogate"),
    (b'{"text": "a", "colour": "red"}', 422, "colour"),
    (b'{"text": "a", "model": "nobody"}', 404, "no model 'nobody'; there are small, other"),
    (b'{"text": []}', 422, "at least 1 item"),
    (b'{"text": ["a", "a", "a", "a", "a"]}', 413, "texts of a request: 5, the limit of this server is 4"),
    (b'{"text": "' + b"a" * 31 + b'"}', 413, "tokens of a text: 31, the limit of this server is 30"),
    (b'{"text": "' + b"a" * 6_000 + b'"}', 413, "5,000 bytes"),
    (b'{"text": "a", "n_best": 6, "beam": 5}', 422, "n_best is 6 and beam 5"),
    (b'{"text": "a", "prefix_ids": [' + b"4, " * 40 + b"4]}", 413, "tokens of a prefix: 41"),
    (b'{"text": "a", "prefix": "' + b"a" * 31 + b'"}', 413, "tokens of a prefix: 31"),
    (b'{"text": "a", "prefix": ["a", "b"]}', 422, "1 texts and 2 prefixes"),
    (b'{"text": "a", "prefix": "a", "prefix_ids": [4]}', 422, "both"),
]


@pytest.mark.parametrize(("body", "status", "words"), BAD, ids=[str(body[:24]) for body, _, _ in BAD])
def test_bad_bodies_are_refused_with_a_sentence(client: TestClient, body: bytes, status: int, words: str) -> None:
    answer = client.post(TRANSLATE, content=body, headers={"content-type": "application/json"})
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert set(error) == {"code", "message", "limit"}
    assert words in error["message"]
    assert len(error["message"]) < 500


def test_pairs_of_unequal_number(client: TestClient) -> None:
    answer = client.post("/v1/score", json={"source": ["a", "b"], "target": "a"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "unequal")
    answer = client.post("/v1/align", json={"source": "a", "target": "b" * 31})
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "target_too_long")


@pytest.mark.parametrize(("method", "path", "status"), [("GET", "/v1/nothing", 404), ("GET", "/v1/translate", 405)])
def test_wrong_places(client: TestClient, method: str, path: str, status: int) -> None:
    answer = client.request(method, path)
    assert answer.status_code == status
    assert answer.json()["error"]["message"]


def test_a_body_in_parts_is_limited_too(client: TestClient) -> None:
    def parts() -> Iterator[bytes]:
        for _ in range(10):
            yield b" " * 1_000

    answer = client.post(TRANSLATE, content=parts(), headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "body_too_large")


def test_a_fault_of_ours_has_the_same_form(translator: Translator, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ArithmeticError("secret text")

    monkeypatch.setattr(Translator, "translate_n_best", fail)
    app = create_app([Served("small", translator)])
    with TestClient(app, raise_server_exceptions=False) as client:
        answer = client.post(TRANSLATE, json={"text": "abc"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (500, "fault")
        assert "secret" not in answer.text
        assert "default-src" in answer.headers["content-security-policy"]
        lines = client.post(TRANSLATE, json={"text": "abc"}, headers={"accept": "application/x-ndjson"}).text
        assert json.loads(lines)["error"]["code"] == "fault"
        assert client.get("/readyz").status_code == 200


def test_tokens(translator: Translator) -> None:
    app = create_app([Served("small", translator)], tokens=["secret", "other"])
    with TestClient(app) as client:
        for headers in ({}, {"authorization": "Bearer wrong"}, {"authorization": "Basic secret"}):
            answer = client.post(TRANSLATE, json={"text": "abc"}, headers=headers)
            assert (answer.status_code, answer.json()["error"]["code"]) == (401, "unauthorised")
            assert client.get("/metrics", headers=headers).status_code == 401
        for token in ("secret", "other"):
            good: dict[str, Any] = {"headers": {"authorization": f"Bearer {token}"}}
            assert client.post(TRANSLATE, json={"text": "abc"}, **good).status_code == 200
        assert client.get("/healthz").status_code == 200
        assert client.get("/").status_code == 200


def test_a_server_that_would_not_translate_is_not_ready(translator: Translator) -> None:
    with TestClient(create_app([Served("small", translator)], ready=lambda: False)) as client:
        assert client.get("/readyz").status_code == 503
        assert client.get("/healthz").status_code == 200
