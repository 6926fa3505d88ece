"""Report a training run with the reference SDK's own client to the server that WHILEAI_API_URL names."""

import json
import sys

from whileai.simulations.training import attach_holdout, delete_run, get_run, list_runs, training_run


def rows(passes):
    return [{"scenario_id": f"s{n % 20}", "prompt": f"p{n % 20}", "final_text": "a", "reward": int(n % 20 < passes)} for n in range(80)]


run = training_run(name="grpo-1", base_model="m", trainer="trl", total_steps=40, config={"lr": 1e-5})
for step in range(1, 41):
    run.log(step, loss=1.0 / step, reward=step / 40, note="no number")
run.holdout(0.2, 0.9)
run.finish("done", adapter="adapters/1")
noted = get_run(run.run_id)
run.delta(rows(4), rows(18))
compared = get_run(run.run_id)

stopped = training_run(name="grpo-2")
stopped.log(3, kl=2.5)
stopped.finish("stopped", error="drift at step 3")
attach_holdout(stopped.run_id, 0.5, 0.3)
attached = get_run(stopped.run_id)
names = [one["name"] for one in list_runs()]
delete_run(stopped.run_id)
try:
    get_run(stopped.run_id)
    gone = "still there"
except Exception as error:
    gone = str(error)
json.dump({"errors": run.errors, "noted": noted, "compared": compared, "attached": attached, "names": names, "gone": gone, "left": len(list_runs())}, sys.stdout)
