"""The environment for verifiers.v1."""

from __future__ import annotations

import json
import uuid
from typing import Any

import verifiers.v1 as vf
from mcp.server.mcpserver.tools.base import Tool

from .world import SPEC, Episode, grade, tasks


class ExportedTasksetConfig(vf.TasksetConfig):
    split: str = "train"
    """`train` or `holdout`."""


class ExportedData(vf.TaskData):
    info: str = "{}"
    """What world and reward know of the task, as JSON text."""


class WorldTool(Tool):
    """A tool whose arguments reach the world as they came: no signature reads them first."""

    async def run(self, arguments: dict[str, Any], context: Any, convert_result: bool = False) -> Any:
        result = await self.fn(self.name, arguments)
        return self.fn_metadata.convert_result(result) if convert_result else result


class WorldToolset(vf.Toolset[vf.ToolsetConfig]):
    TOOL_PREFIX = None

    async def setup_task(self, task: ExportedData) -> None:
        self.episode = Episode(uuid.uuid4().hex, json.loads(task.info))

    def register(self, mcp: Any) -> None:
        async def call(name: str, arguments: dict[str, Any]) -> str:
            return await self.episode.call(name, arguments)

        for tool in SPEC["tools"]:
            read = Tool.from_function(call, name=tool["name"], structured_output=False)
            mcp._tool_manager._tools[tool["name"]] = WorldTool(
                fn=call,
                name=tool["name"],
                description=tool["description"],
                parameters=tool["parameters"],
                fn_metadata=read.fn_metadata,
                is_async=True,
            )


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
