"""Time the guards of the reference SDK on a workload: one JSON line a call, in seconds of CPU.

usage: reference.py WORKLOAD_DIR
"""
import json, sys, time
from pathlib import Path
import whileai.simulations as wai

read = lambda name: [json.loads(line) for line in open(Path(sys.argv[1]) / name)]
rows, sources = read("rows.jsonl"), read("sources.jsonl")
some = rows[::8][:1000]
calls = {
    "optimize": lambda: wai.optimize([dict(row) for row in rows], mode="rl"),
    "publish_gate": lambda: wai.publish_gate([dict(row) for row in rows], mode="rl"),
    "hack_scan": lambda: wai.hack_scan(rows),
    "leakage": lambda: wai.leakage_report(some, sources),
    "near_duplicates": lambda: wai.near_duplicate_prompts(some),
}
for name, call in calls.items():
    start = time.process_time()
    call()
    print(json.dumps({"call": name, "cpu_s": time.process_time() - start}), flush=True)
