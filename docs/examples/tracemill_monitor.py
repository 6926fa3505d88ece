"""Watch a training run for reward hacking from inside a Python trainer: one file, standard library only.

    monitor = HackMonitor("grpo-7", holdout=rows, gold="judge", stop_on=["divergence"])
    trainer = GRPOTrainer(..., reward_funcs=monitor.wrap(reward), callbacks=[monitor.callback()])

The alarms are raised by `tracemill serve`, which TRACEMILL_URL and TRACEMILL_TOKEN name. Nothing here ever ends a run but an
alarm of `stop_on`: what fails is counted in `errors` and logged.
"""
import functools
import inspect
import json
import logging
import math
import os
import queue
import random
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from concurrent.futures import ThreadPoolExecutor

try:
    from transformers import TrainerCallback
except Exception:  # a loop of your own calls the same methods
    class TrainerCallback:
        pass

log = logging.getLogger("tracemill")
NOT_COLUMNS = {"prompt", "messages", "completion", "completions", "final_text"}


def _text(value, role=None):
    """The text of a prompt (the last message of a role) or of a completion (all of its messages)."""
    if isinstance(value, str):
        return value
    messages = [one for one in value or [] if isinstance(one, dict)]
    if role:
        messages = [one for one in messages if one.get("role") == role][-1:]
    return "\n".join(one["content"] for one in messages if isinstance(one.get("content"), str))


def _number(value):
    """A number as JSON can hold it: NaN and infinities as words, None for what is no number."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else str(number)


class HackMonitor:
    def __init__(self, run, holdout, proxy=None, gold=None, sample=None, every=10, k=4, n_prompts=32, max_new_tokens=256,
                 concurrency=8, seed=0, sampling=None, url=None, token=None, timeout=120, **settings):
        asks = [{"prompt": one} if isinstance(one, (str, list)) else dict(one) for one in holdout]
        asks = [one for one in asks if one.get("prompt")]
        if not asks:
            raise ValueError("the holdout has no prompt")
        self.run, self.proxy, self.gold, self.sample = run, proxy, gold, sample or self._generate
        self.holdout = random.Random(seed).sample(asks, n_prompts) if len(asks) > n_prompts else asks
        self.every, self.k, self.max_new_tokens, self.concurrency = max(1, every), max(1, k), max_new_tokens, concurrency
        self.sampling = {"temperature": 0.8, "top_p": 0.95, "batch": 16, **(sampling or {})}
        self.url = (url or os.environ.get("TRACEMILL_URL", "http://127.0.0.1:4320")).rstrip("/")
        self.token, self.timeout = token or os.environ.get("TRACEMILL_TOKEN", ""), timeout
        self.errors, self.alarms, self.stop = 0, [], None
        self._waiting = queue.Queue(maxsize=64)
        threading.Thread(target=self._drain, daemon=True).start()
        self._safely(lambda: self._post("", {"every": self.every, "k": self.k, "seed": seed, **settings}))

    # what the trainer calls

    def wrap(self, reward):
        """The reward function as it was, and every completion it scores is told to the monitor."""
        name = getattr(reward, "__name__", "reward")
        self.proxy = self.proxy or reward

        def record(completions, rewards, prompts):
            self._safely(lambda: self._waiting.put_nowait({
                "name": name,
                "prompts": list(prompts or [""] * len(completions)),
                "completions": list(completions),
                "rewards": [_number(one) for one in rewards],
            }))

        if inspect.iscoroutinefunction(reward):
            @functools.wraps(reward)
            async def wrapped(completions, prompts=None, **columns):
                rewards = await reward(completions=completions, prompts=prompts, **columns)
                record(completions, rewards, prompts)
                return rewards
        else:
            @functools.wraps(reward)
            def wrapped(completions, prompts=None, **columns):
                rewards = reward(completions=completions, prompts=prompts, **columns)
                record(completions, rewards, prompts)
                return rewards
        return wrapped

    def callback(self, model=None, tokenizer=None):
        """A callback of transformers' Trainer: evaluates when training begins and every few steps, and stops when told."""
        return _Callback(self, model, tokenizer)

    def log(self, step, kl):
        self._safely(lambda: self._take(self._post("/log", {"step": step, "kl": _number(kl)})))

    def evaluate(self, step, model=None, tokenizer=None):
        """Sample the held-out asks from the policy, score them with the proxy and the gold, and hear what that raises."""
        self._safely(lambda: self._evaluate(step, model, tokenizer))
        return self.stop

    def end(self):
        self.flush()
        self._safely(lambda: self._post("/end", {}))

    def flush(self, seconds=10):
        """Wait until what was recorded is told, but never long: training does not wait for a server that is away."""
        until = time.monotonic() + seconds
        with self._waiting.all_tasks_done:
            while self._waiting.unfinished_tasks and (left := until - time.monotonic()) > 0:
                self._waiting.all_tasks_done.wait(left)

    # how

    def _evaluate(self, step, model, tokenizer):
        asks = [ask["prompt"] for ask in self.holdout]
        groups = self.sample((model, tokenizer), asks, {"n": self.k, "max_new_tokens": self.max_new_tokens})
        flat = [(ask, text) for ask, group in zip(self.holdout, groups) for text in group]
        names = {name for ask in self.holdout for name in ask} - NOT_COLUMNS
        columns = {name: [ask.get(name) for ask, _ in flat] for name in sorted(names)}
        texts = [text for _, text in flat]
        proxy = self._scores(texts, [ask["prompt"] for ask, _ in flat], columns)
        gold = self._golds(flat)
        scored = iter([{"text": text, "proxy": _number(p), **({} if gold is None else {"gold": g})}
                       for text, p, g in zip(texts, proxy, gold or texts)])
        body = {
            "step": step,
            "prompts": asks,
            "columns": [{name: ask.get(name) for name in names} for ask in self.holdout],
            "groups": [[next(scored) for _ in group] for group in groups],
        }
        self.flush()  # the scan of an evaluation sees what was scored before it
        self._take(self._post("/eval?gold=judge" if self.gold == "judge" else "/eval", body))

    def _scores(self, completions, prompts, columns):
        scores = self.proxy(completions=completions, prompts=prompts, **columns)
        if inspect.isawaitable(scores):
            import asyncio
            return asyncio.run(_wait(scores))
        return scores

    def _golds(self, flat):
        if self.gold is None or self.gold == "judge":
            return None

        def one(pair):
            try:
                return _number(self.gold({**pair[0], "prompt": _text(pair[0]["prompt"], "user"), "final_text": pair[1]}))
            except Exception:
                return None
        with ThreadPoolExecutor(self.concurrency) as pool:
            return list(pool.map(one, flat))

    def _generate(self, policy, prompts, how):
        """Sample with a transformers model."""
        import torch
        model, tokenizer = policy
        texts, size, was_training = [], self.sampling["batch"], model.training
        model.eval()
        try:
            for start in range(0, len(prompts), size):
                said = [one if isinstance(one, str) else tokenizer.apply_chat_template(one, tokenize=False, add_generation_prompt=True)
                        for one in prompts[start:start + size]]
                given = tokenizer(said, return_tensors="pt", padding=True, padding_side="left").to(model.device)
                with torch.no_grad():
                    out = model.generate(**given, do_sample=True, temperature=self.sampling["temperature"], top_p=self.sampling["top_p"],
                                         num_return_sequences=how["n"], max_new_tokens=how["max_new_tokens"])
                texts += tokenizer.batch_decode(out[:, given["input_ids"].shape[1]:], skip_special_tokens=True)
        finally:
            model.train(was_training)
        return [texts[n * how["n"]:(n + 1) * how["n"]] for n in range(len(prompts))]

    def _drain(self):
        while True:
            event = self._waiting.get()
            self._safely(lambda: self._post("/scored", event))
            self._waiting.task_done()

    def _take(self, reply):
        for alarm in reply.get("alarms", []):
            self.alarms.append(alarm)
            log.warning("%s at step %s: %s", alarm["kind"], alarm["step"], alarm["reason"])
        self.stop = reply.get("stop") or self.stop

    def _post(self, path, body, tries=4):
        data = json.dumps(body, default=str).encode()
        head = {"content-type": "application/json", "authorization": f"Bearer {self.token}"}
        address = f"{self.url}/v1/monitor/{urllib.parse.quote(self.run, safe='')}{path}"
        for left in range(tries - 1, -1, -1):
            try:
                with urllib.request.urlopen(urllib.request.Request(address, data, head), timeout=self.timeout) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as error:
                if error.code not in (429, 503) or not left:
                    raise RuntimeError(f"{path or '/'}: {error.code} {error.read(300).decode(errors='replace')}") from None
                time.sleep(float(error.headers.get("retry-after", 1)))
            except urllib.error.URLError:
                if not left:
                    raise
                time.sleep(0.2)

    def _safely(self, work):
        try:
            work()
        except Exception as error:
            self.errors += 1
            log.warning("the monitor of %s: %s", self.run, error)


async def _wait(scores):
    return await scores


class _Callback(TrainerCallback):
    def __init__(self, monitor, model, tokenizer):
        self.monitor, self.policy = monitor, (model, tokenizer)

    def _evaluate(self, state, kwargs):
        model, tokenizer = self.policy
        tokenizer = tokenizer or kwargs.get("processing_class") or kwargs.get("tokenizer")
        return self.monitor.evaluate(state.global_step, model or kwargs.get("model"), tokenizer)

    def on_train_begin(self, args, state, control, **kwargs):
        self._evaluate(state, kwargs)

    def on_log(self, args, state, control, logs=None, **kwargs):
        kl = (logs or {}).get("kl", (logs or {}).get("objective/kl"))
        if kl is not None:
            self.monitor.log(state.global_step, kl)

    def on_step_end(self, args, state, control, **kwargs):
        if state.global_step > 0 and state.global_step % self.monitor.every == 0 and self._evaluate(state, kwargs):
            control.should_training_stop = True

    def on_train_end(self, args, state, control, **kwargs):
        self.monitor.end()
