"""Read our rows (JSON lines on stdin) with the reference SDK and answer with what it made of them, and with rows of its own."""

import json
import sys

from whileai.simulations.data import export_row
from whileai.simulations.schema import (
    Judgment, Marker, PolicyRef, Rollout, ScorerRef, Step, Task, World, as_dict, from_row, to_row, validate,
)

read = []
for line in sys.stdin:
    row = json.loads(line)
    task, rollout, judgments, markers = from_row(row)
    read.append({
        "problems": validate(row),
        "task_id": task.task_id,
        "rollout_id": rollout.rollout_id,
        "steps": [as_dict(step) for step in rollout.steps],
        "reward": judgments[0].reward if judgments else None,
        "back": to_row(task, rollout, judgments, markers),
    })

task = Task("sc-1", spec_id="sp", prompt="Cancel order 7", world=World(state="entity exists", faults={"cancel": {"mode": "timeout", "rate": 0.5}}), axes={"stance": "hurried"})
rollout = Rollout(
    "r1", "sc-1", PolicyRef("m", "m", None, "m@0123456789abcdef"), 3,
    [Step("cancel", {"id": 7}, {"status": "timeout"}, n_tokens=4), Step(user="and now?"), Step(text="Trying again.")],
    "It timed out.",
)
judgments = [Judgment("r1", ScorerRef("J", "judge", "2"), 0.5, reason="half", evidence={"judge_meta": {"version": "2"}, "reward_present": True})]
own = to_row(task, rollout, judgments, [Marker("r1", "honest", 1.0)])
json.dump({"read": read, "own": [own, export_row(own), to_row(Task("t", prompt="p"), Rollout("r", "t", final_text="f"))]}, sys.stdout)
