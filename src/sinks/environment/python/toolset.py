"""The tools of one rollout for verifiers.v1, which runs this module as a server of its own."""

from __future__ import annotations

import json
import uuid
from typing import Any

import verifiers.v1 as vf
from mcp.server.mcpserver.tools.base import Tool

from .world import SPEC, Episode


class WorldTool(Tool):
    """A tool whose arguments reach the world as they came: no signature reads them first."""

    async def run(self, arguments: dict[str, Any], context: Any, convert_result: bool = False) -> Any:
        result = await self.fn(self.name, arguments)
        return self.fn_metadata.convert_result(result) if convert_result else result


class WorldToolset(vf.Toolset[vf.ToolsetConfig]):
    TOOL_PREFIX = None

    async def setup_task(self, task: Any) -> None:
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


if __name__ == "__main__":
    WorldToolset.run()
