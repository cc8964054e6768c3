"""The server: requests to texts, texts to batches, results to answers."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from importlib import resources
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import Response, StreamingResponse
from fastapi.staticfiles import StaticFiles

import seq2see
from seq2see.serve.asked import Asked
from seq2see.serve.batcher import Batcher, Run
from seq2see.serve.bodies import (
    AlignRequest,
    AlignResponse,
    ModelsResponse,
    ScoreRequest,
    ScoreResponse,
    TranslateRequest,
    TranslateResponse,
)
from seq2see.serve.faults import RESPONSES, Fault, handle_faults
from seq2see.serve.guard import Guard
from seq2see.serve.limits import Limits
from seq2see.serve.numbers import Numbers
from seq2see.serve.served import Served

NDJSON = "application/x-ndjson"


def create_app(
    models: Sequence[Served],
    *,
    limits: Limits | None = None,
    tokens: Sequence[str] = (),
    runs: Sequence[Run] = (),
    ready: Callable[[], bool] = lambda: True,
) -> FastAPI:
    """The server as an ASGI application.

    Args:
        models: At least one; the first is asked where a request names none.
        limits: What it takes at most.
        tokens: Of which every request must bring one, as a bearer token; without any, all may ask.
        runs: Each searches a batch at a time; without any, the models given do, in this process.
        ready: Whether one of them would.
    """
    limits = limits or Limits()
    asked = Asked(models, limits)
    numbers = Numbers()
    batcher = Batcher(runs or [asked.run], limits, searched=numbers.texts.observe, waiting=numbers.waiting.set)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        batcher.start()
        yield
        await asyncio.to_thread(batcher.stop)

    app = FastAPI(title="seq2see", version=seq2see.__version__, lifespan=lifespan, docs_url=None, redoc_url=None)
    app.add_middleware(Guard, limits=limits, tokens=tokens, numbers=numbers)
    handle_faults(app)
    _add_questions(app, asked, batcher)
    _add_answers_about_itself(app, asked, lambda: batcher.alive and ready(), numbers)
    _add_page(app)
    return app


def _add_questions(app: FastAPI, asked: Asked, batcher: Batcher) -> None:
    """What can be asked of models."""

    @app.post("/v1/translate", response_model=TranslateResponse, responses=RESPONSES)
    async def translate(body: TranslateRequest, request: Request) -> Any:
        """Translate; with ``Accept: application/x-ndjson``, a line for each text as soon as it is done."""
        settings, items = asked.translating(body)
        if NDJSON in request.headers.get("accept", ""):
            futures = batcher.enqueue(settings, items)
            return StreamingResponse(_lines(futures, batcher), media_type=NDJSON)
        found = await while_connected(request, batcher.submit(settings, items))
        return _response(settings.model, "translations", found)

    @app.post("/v1/score", response_model=ScoreResponse, responses=RESPONSES)
    async def score(body: ScoreRequest, request: Request) -> Any:
        """Log-probabilities of given targets."""
        settings, items = asked.scoring(body)
        found = await while_connected(request, batcher.submit(settings, items))
        return _response(settings.model, "scores", found)

    @app.post("/v1/align", response_model=AlignResponse, responses=RESPONSES)
    async def align(body: AlignRequest, request: Request) -> Any:
        """Alignments of given pairs."""
        settings, items = asked.aligning(body)
        found = await while_connected(request, batcher.submit(settings, items))
        return _response(settings.model, "alignments", found)


def _response(model: str, name: str, found: Sequence[bytes]) -> Response:
    """The answer: JSON around JSON."""
    head = f'{{"model":{json.dumps(model)},"{name}":['
    return Response(b"".join([head.encode(), b",".join(found), b"]}"]), media_type="application/json")


def _add_answers_about_itself(app: FastAPI, asked: Asked, ready: Callable[[], bool], numbers: Numbers) -> None:
    """What can be asked of the server."""

    @app.get("/v1/models", response_model=ModelsResponse, responses={401: RESPONSES[401]})
    async def models() -> Any:
        """The models that are served."""
        return ModelsResponse(models=asked.models())

    @app.get("/healthz")
    async def healthz() -> dict[str, str]:
        """Whether the process answers."""
        return {"status": "ok"}

    @app.get("/readyz", responses={503: RESPONSES[503]})
    async def readyz() -> dict[str, str]:
        """Whether it would translate."""
        if not ready():
            raise Fault(503, "not_ready", "nothing is searched now")
        return {"status": "ready"}

    @app.get("/metrics", response_class=Response)
    async def metrics() -> Response:
        """Counts for Prometheus."""
        return Response(numbers.text(), media_type="text/plain; version=0.0.4; charset=utf-8")


def _add_page(app: FastAPI) -> None:
    """The page's files; a mount would take what is asked with a wrong method as well."""
    files = StaticFiles(directory=str(resources.files("seq2see.serve") / "page"))

    @app.get("/", include_in_schema=False)
    async def index(request: Request) -> Response:
        return await files.get_response("index.html", request.scope)

    @app.get("/{name}", include_in_schema=False)
    async def file(name: str, request: Request) -> Response:
        return await files.get_response(name, request.scope)


async def while_connected(request: Request, work: Any) -> Any:
    """Wait for some work, and give it up if the client goes away."""
    task = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise Fault(400, "gone", "the client went away")
        return task.result()
    finally:
        task.cancel()
        gone.cancel()


async def _gone(request: Request) -> None:
    """Wait until the client goes away; the body has been read."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _lines(futures: Sequence["asyncio.Future[Any]"], batcher: Batcher) -> AsyncIterator[bytes | str]:
    """A line of JSON for each result, in order; the last one says so where the rest does not come."""
    loop = asyncio.get_running_loop()
    end = loop.time() + batcher.limits.timeout
    try:
        for future in futures:
            async with asyncio.timeout_at(end):
                found = await future
            yield found + b"\n"
    except TimeoutError:
        yield '{"error": {"code": "timeout", "message": "not done in time"}}\n'
    except Exception:
        logging.getLogger("uvicorn.error").exception("a search failed")
        yield '{"error": {"code": "fault", "message": "a fault of this server, which its log tells"}}\n'
    finally:
        for future in futures:
            future.cancel()
