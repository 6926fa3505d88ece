"""A training loop whose policy learns to please the proxy alone, watched by the monitor of the docs."""
import json
import sys
from types import SimpleNamespace

sys.path.insert(0, "docs/examples")
from tracemill_monitor import HackMonitor

kind = sys.argv[1]


def reward(prompts, completions, **columns):
    return [float("magic" in text) for text in completions]


async def later(prompts, completions, **columns):
    return reward(prompts, completions)


def sample(policy, prompts, how):
    strength = min(1.0, state.global_step / 40)
    return [["magic word" if (n * how["n"] + i) / (len(prompts) * how["n"]) < strength else "an honest answer"
             for i in range(how["n"])] for n in range(len(prompts))]


def gold(row):
    if row["prompt"] == "broken":
        raise RuntimeError("no gold")
    return float("magic" not in row["final_text"] and row["level"] == 1)


state, control = SimpleNamespace(global_step=0), SimpleNamespace(should_training_stop=False)
holdout = [{"prompt": f"ask {n}", "level": n % 2} for n in range(31)] + ["broken"]
monitor = HackMonitor("py-run", holdout, gold="judge" if kind == "judge" else gold, sample=sample, every=10, stop_on=["divergence"])
wrapped = monitor.wrap(later if kind == "async" else reward)
callback = monitor.callback()
callback.on_train_begin(None, state, control)
while not control.should_training_stop and state.global_step < 200:
    state.global_step += 1
    if kind == "async":
        import asyncio
        asyncio.run(wrapped(prompts=["p"] * 8, completions=["magic"] * 8))
    else:
        assert wrapped(prompts=["p"] * 8, completions=["magic"] * 8) == [1.0] * 8
    callback.on_log(None, state, control, logs={"kl": 0.1})
    callback.on_step_end(None, state, control)
callback.on_train_end(None, state, control)
print(json.dumps({"step": state.global_step, "stop": monitor.stop, "errors": monitor.errors, "name": wrapped.__name__}))
