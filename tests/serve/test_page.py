"""The page, in a real browser."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.serve.processes import Served, served

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
WIDE, PHONE = {"width": 1000, "height": 900}, {"width": 380, "height": 760}


@pytest.fixture(scope="module")
def server(reverse_directory: Path) -> Iterator[Served]:
    with served(reverse_directory) as server:
        yield server


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as tools:
        browser = tools.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Any, server: Served) -> Iterator[Any]:
    """The page, which may complain of nothing and ask nobody but its server."""
    context = browser.new_context(viewport=WIDE, accept_downloads=True)
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(server.url)
    yield page
    context.close()
    # the browser itself tells of every refusal
    assert [one for one in complaints if "status of 413" not in one] == []
    assert all(url.startswith((server.url, "data:", "blob:")) for url in asked), asked


def write(page: Any, text: str) -> None:
    """Type, and wait for the translation."""
    page.fill("#source", text)
    page.wait_for_function("text => document.querySelector('#output').textContent === text", arg=text[::-1])


def test_type_and_read(page: Any) -> None:
    write(page, "abcdef")
    assert page.text_content("#output") == "fedcba"
    assert page.locator("#drawing svg .token").count() == 12
    assert page.locator("#drawing svg .line").count() >= 6
    assert re.search(r"translated in \d", page.text_content("#status"))
    page.fill("#source", "")
    page.wait_for_function("() => document.querySelector('#result').hidden")


def test_what_is_typed_before_the_models_are_known_is_translated(browser: Any, server: Served) -> None:
    page = browser.new_page()

    def slowly(route: Any) -> None:
        page.wait_for_timeout(1000)
        route.continue_()

    page.route("**/v1/models", slowly)
    page.goto(server.url)
    write(page, "abc")
    page.wait_for_function("() => document.querySelector('#model').value !== ''")
    page.wait_for_function("() => document.querySelector('#output').textContent === 'cba'")
    page.close()


def test_examples_of_the_model_are_offered_and_the_first_is_there(page: Any) -> None:
    page.wait_for_selector("#examples button")
    first = page.locator("#examples button").first.text_content()
    assert page.input_value("#source") == first
    page.locator("#examples button").nth(1).click()
    second = page.locator("#examples button").nth(1).text_content()
    assert page.input_value("#source") == second


def test_pointing_at_a_token_lights_up_its_lines(page: Any) -> None:
    write(page, "abcdef")
    page.locator('#drawing .token[data-kind="target"]').nth(0).hover()
    lit = page.locator("#drawing .line.lit")
    assert lit.count() >= 1
    strongest = page.evaluate(
        "[...document.querySelectorAll('#drawing .line.lit')]"
        ".sort((a, b) => b.getAttribute('stroke-width') - a.getAttribute('stroke-width'))[0].dataset.source"
    )
    assert strongest == "5"  # the first letter of the output is the last of the source
    page.locator("h1").hover()
    assert lit.count() == 0


def test_keys_alone_reach_everything(page: Any) -> None:
    write(page, "abc")
    token = page.locator('#drawing .token[data-kind="target"]').nth(1)
    token.focus()
    assert page.locator("#drawing .line.lit").count() >= 1
    assert "looked at b" in token.get_attribute("aria-label")
    page.focus("#next")
    page.keyboard.press("Enter")
    assert page.text_content("#step-number").startswith("step 2 of 4")


def test_a_heat_map_of_the_same_weights(page: Any) -> None:
    write(page, "abcd")
    page.click("#view-heatmap")
    assert page.get_attribute("#view-heatmap", "aria-pressed") == "true"
    assert page.locator("#drawing .cell").count() == 16
    dark = page.locator('#drawing .cell[data-source="3"][data-target="0"]').get_attribute("fill-opacity")
    assert float(dark) > 0.5


def test_steps_and_another_token(page: Any) -> None:
    write(page, "abcdef")
    assert page.is_disabled("#first")
    assert page.text_content("#step-number").startswith("step 1 of 7")
    choices = page.locator("#step button")
    assert choices.count() == 6
    assert choices.first.get_attribute("aria-current") == "true"
    other = choices.nth(1).text_content()
    choices.nth(1).click()
    page.wait_for_function("first => document.querySelector('#output').textContent.startsWith(first)", arg=other)
    assert page.text_content("#prefix") == other
    page.click("#free")
    page.wait_for_function("() => document.querySelector('#output').textContent === 'fedcba'")
    page.click("#last")
    assert page.text_content(".written .now") == "∎"


def test_the_best_outputs_can_be_chosen(page: Any) -> None:
    write(page, "abcdef")
    rows = page.locator("#outputs tr")
    assert rows.count() == 3
    scores = [float(rows.nth(n).locator("td").first.text_content()) for n in range(3)]
    assert scores == sorted(scores, reverse=True)
    other = rows.nth(1).locator("button").text_content()
    rows.nth(1).locator("button").click()
    assert page.text_content("#output") == other


def test_what_is_shown_can_be_saved(page: Any) -> None:
    write(page, "abc")
    beginnings = {"svg": b"<svg", "png": b"\x89PNG", "json": b"{"}
    for kind, beginning in beginnings.items():
        with page.expect_download() as waiting:
            page.click(f"#save-{kind}")
        content = Path(waiting.value.path()).read_bytes()
        assert content.startswith(beginning)
        if kind == "json":
            assert json.loads(content)["outputs"][0]["text"] == "cba"


def test_a_refusal_is_shown_as_a_sentence(page: Any) -> None:
    page.fill("#source", "a" * 600)
    page.wait_for_function(
        "() => document.querySelector('#status').textContent.includes('limit of this server is 500')"
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_phone_width_and_accessibility(page: Any, scheme: str, tmp_path: Path) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme=scheme)
    write(page, "abcdefghij")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.screenshot(path=tmp_path / f"{scheme}.png", full_page=True)
    found = axe.Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    page.goto(f"{page.url.rstrip('/')}/api.html")
    page.wait_for_selector("table")
    found = axe.Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_right_to_left_text_runs_from_right_to_left(page: Any) -> None:
    write(page, "ab")
    places = page.evaluate(
        """async () => {
            const { drawLines } = await import("./lines.js");
            const weights = [[1, 0], [0, 1]];
            const drawing = drawLines({ source: ["س", "ل"], target: ["s", "l"], weights });
            return [...drawing.querySelectorAll(".token rect")].map((box) => Number(box.getAttribute("x")));
        }"""
    )
    assert places[0] > places[1]
    assert places[2] < places[3]
