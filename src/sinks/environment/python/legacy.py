"""The environment for verifiers before 0.4."""

from __future__ import annotations

import json
import uuid
from typing import Any

import verifiers as vf
from datasets import Dataset
from verifiers.types import Tool, ToolMessage

from .world import SPEC, Episode, grade, tasks


def _plain(message: Any) -> dict[str, Any]:
    """A message of any verifiers version as a plain object, calls as OpenAI writes them."""
    got = message if isinstance(message, dict) else message.model_dump(exclude_none=True)
    calls = got.get("tool_calls") or []
    if not calls:
        return {k: v for k, v in got.items() if k != "tool_calls"}
    plain = [c if isinstance(c, dict) else c.model_dump() if hasattr(c, "model_dump") else json.loads(c) for c in calls]
    wire = [c if "function" in c else {"id": c.get("id"), "type": "function", "function": c} for c in plain]
    return {**got, "tool_calls": wire}


def _asked(prompt: Any) -> str:
    said = [m for m in map(_plain, prompt) if m.get("role") == "user"]
    return str(said[-1]["content"]) if said else ""


async def _graded(state: Any) -> dict[str, Any]:
    """Once a rollout, however many functions ask."""
    if "tracemill" not in state:
        info = state.get("info") or {}
        info = json.loads(info) if isinstance(info, str) else info
        messages = [_plain(m) for m in [*state["prompt"], *(state.get("completion") or [])]]
        cut = bool(state.get("is_truncated")) or state.get("stop_condition") == "max_turns_reached"
        state["tracemill"] = await grade(info, _asked(state["prompt"]), messages, cut)
    return state["tracemill"]


async def task_reward(state: Any) -> float:
    return float((await _graded(state))["reward"])


def _metric(name: str) -> Any:
    async def metric(state: Any) -> float:
        return float((await _graded(state))["metrics"][name])

    metric.__name__ = name
    return metric


METRICS = [_metric(name) for name in ("n_calls", "judge_ok", "truncated", "trace_clean")]


class ExportedEnv(vf.StatefulToolEnv):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(tools=[], **kwargs)
        self.tool_defs = [
            Tool(name=t["name"], description=t["description"], parameters=t["parameters"]) for t in SPEC["tools"]
        ]

    async def setup_state(self, state: Any, **kwargs: Any) -> Any:
        state = await super().setup_state(state, **kwargs) or state
        info = state.get("info") or {}
        state["tracemill_world"] = Episode(uuid.uuid4().hex, json.loads(info) if isinstance(info, str) else info)
        return state

    def update_tool_args(
        self, tool_name: str, tool_args: dict[str, Any], messages: Any, state: Any, **kwargs: Any
    ) -> dict[str, Any]:
        return {"world": state["tracemill_world"], "arguments": tool_args}

    async def call_tool(self, tool_name: str, tool_args: dict[str, Any], tool_call_id: str, **kwargs: Any) -> Any:
        content = await tool_args["world"].call(tool_name, tool_args["arguments"])
        return ToolMessage(role="tool", content=content, tool_call_id=tool_call_id)

    @vf.cleanup
    async def close_world(self, state: Any) -> None:
        world = state.pop("tracemill_world", None)  # a state is sent to other processes: nothing live may stay
        if world is not None:
            world.close()


def _rows(split: str) -> Dataset:
    system = [{"role": "system", "content": SPEC["system_prompt"]}] if SPEC["system_prompt"] else []
    return Dataset.from_list(
        [
            {
                "prompt": [*system, {"role": "user", "content": task["prompt"]}],
                "info": json.dumps(task["info"]),  # text: columns of objects are merged, and tasks gain each other's keys
                "example_id": n,
            }
            for n, task in enumerate(tasks(split))
        ]
    )


def load_environment(split: str = "train", max_turns: int | None = None, **kwargs: Any) -> vf.Environment:
    """The environment over `train` or `holdout`; the held-out tasks are its evaluation set."""
    rubric = vf.Rubric(funcs=[task_reward], weights=[1.0])
    for metric in METRICS:
        rubric.add_metric(metric)
    held = _rows("holdout") if tasks("holdout") else None
    return ExportedEnv(
        dataset=_rows(split),
        **({} if held is None or split == "holdout" else {"eval_dataset": held}),
        rubric=rubric,
        max_turns=max_turns or SPEC["max_turns"],
        **kwargs,
    )
