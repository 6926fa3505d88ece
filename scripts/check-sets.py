"""Load every set of a folder in datasets, as JSON lines and as Parquet: the same rows, of the columns that trainers look for."""

import json
import sys
from pathlib import Path

from datasets import load_dataset
from trl.data_utils import is_conversational

folder = Path(sys.argv[1])
WANTED = {
    "openai": {"messages", "loss_mask"},
    "trl": {"messages"},
    "pairs": {"prompt", "chosen", "rejected"},
    "pairs-trl": {"prompt", "chosen", "rejected"},
    "reward": {"prompt", "chosen", "rejected", "margin"},
    "grpo": {"prompt", "info"},
    "opsd": {"prompt", "teacher_prompt", "hint"},
    "opd": {"messages"},
    "rows": {"prompt", "steps", "final_text"},
}
CONVERSATIONS = {"trl", "pairs-trl", "reward", "grpo", "opd"}


def plain(value):
    """Without nulls, and with JSON text read: loaders fill objects up and keep JSON columns as text."""
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items() if v is not None}
    if isinstance(value, list):
        return [plain(v) for v in value]
    if isinstance(value, str) and value[:1] in ("{", "["):
        try:
            return plain(json.loads(value))
        except ValueError:
            return value
    return value


def differs(left, right):
    empty = ("", [], {}, None)
    keys = {k for k in (*left, *right) if left.get(k) not in empty or right.get(k) not in empty}
    return [k for k in keys if left.get(k) != right.get(k)]


failed = 0
for name, columns in WANTED.items():
    lines = [json.loads(line) for line in (folder / f"set-{name}.jsonl").read_text().split("\n") if line]
    table = load_dataset("parquet", data_files=str(folder / f"set-{name}.parquet"), split="train")
    missing = columns - set(table.column_names)
    rows = [dict(row) for row in table]
    wrong = [n for n, (a, b) in enumerate(zip(lines, rows)) if differs(plain(a), plain(b))]
    spoken = name not in CONVERSATIONS or is_conversational({k: rows[0][k] for k in columns & {"messages", "prompt", "chosen", "rejected"}})
    good = not missing and not wrong and len(lines) == len(rows) and spoken
    failed += not good
    print(f"{'ok  ' if good else 'FAIL'} set {name}: {len(rows)} rows, missing {sorted(missing)}, different {wrong[:3]}, conversational {spoken}")
    if wrong:
        n = wrong[0]
        for key in differs(plain(lines[n]), plain(rows[n]))[:2]:
            print(f"     {key}: {str(plain(lines[n]).get(key))[:200]} | {str(plain(rows[n]).get(key))[:200]}")
sys.exit(1 if failed else 0)
