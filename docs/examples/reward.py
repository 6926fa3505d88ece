"""A reward function for TRL's GRPOTrainer, or any loop: `tracemill serve --judge SPEC` grades. Standard library only."""
import json
import os
import time
import urllib.error
import urllib.request

URL = os.environ.get("TRACEMILL_URL", "http://127.0.0.1:4320")
TOKEN = os.environ.get("TRACEMILL_TOKEN", "")


def tracemill_reward(completions, prompts=None, tries=6, timeout=120, **columns):
    """Rewards in the order of the completions; None where there is no verdict."""
    body = json.dumps({"prompts": prompts or [], "completions": completions, **columns}, default=str).encode()
    head = {"content-type": "application/json", "authorization": f"Bearer {TOKEN}"}
    for left in range(tries - 1, -1, -1):
        try:
            request = urllib.request.Request(f"{URL}/v1/judge", body, head)
            with urllib.request.urlopen(request, timeout=timeout) as answer:
                return json.load(answer)["rewards"]
        except urllib.error.HTTPError as error:
            if error.code not in (429, 503) or not left:
                raise
            time.sleep(float(error.headers.get("retry-after", 1)))
        except OSError:  # no connection, or none any more: the server may be starting again
            if not left:
                raise
            time.sleep(1)
