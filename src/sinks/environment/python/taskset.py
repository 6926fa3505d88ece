"""The environment for verifiers.v1."""

from __future__ import annotations

import json
from typing import Any

import verifiers.v1 as vf

from .toolset import WorldToolset
from .world import SPEC, grade, tasks


class ExportedTasksetConfig(vf.TasksetConfig):
    split: str = "train"
    """`train` or `holdout`."""


class ExportedData(vf.TaskData):
    info: str = "{}"
    """What world and reward know of the task, as JSON text."""


def _plain(message: Any) -> dict[str, Any]:
    got = message.model_dump(exclude_none=True)
    calls = [{"id": c["id"], "type": "function", "function": c} for c in got.get("tool_calls") or []]
    return {**got, "tool_calls": calls} if calls else got


class ExportedTask(vf.Task[ExportedData]):
    @classmethod
    def toolsets(cls, config: Any) -> list[vf.Toolset]:
        return [WorldToolset(vf.ToolsetConfig())]

    async def _graded(self, trace: vf.Trace) -> dict[str, Any]:
        messages = [_plain(m) for m in trace.messages]
        return await grade(json.loads(self.data.info), self.data.prompt_text, messages, trace.is_truncated)

    @vf.reward
    async def task_reward(self, trace: vf.Trace) -> float:
        return float((await self._graded(trace))["reward"])

    @vf.metric
    async def n_calls(self, trace: vf.Trace) -> float:
        return float((await self._graded(trace))["metrics"]["n_calls"])

    @vf.metric
    async def judge_ok(self, trace: vf.Trace) -> float:
        return float((await self._graded(trace))["metrics"]["judge_ok"])

    @vf.metric
    async def truncated(self, trace: vf.Trace) -> float:
        return float(trace.is_truncated)

    @vf.metric
    async def trace_clean(self, trace: vf.Trace) -> float:
        return float((await self._graded(trace))["metrics"]["trace_clean"])


class ExportedTaskset(vf.Taskset[ExportedTask, ExportedTasksetConfig]):
    def load(self) -> list[ExportedTask]:
        return [
            ExportedTask(
                ExportedData(
                    id=task["example_id"],
                    prompt=task["prompt"],
                    system_prompt=SPEC["system_prompt"],
                    info=json.dumps(task["info"]),
                ),
                self.config.task,
            )
            for task in tasks(self.config.split)
        ]
