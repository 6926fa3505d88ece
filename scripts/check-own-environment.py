"""Play a world and a reward of one's own through an exported environment: as module:name, and as an address."""

import asyncio
import json
import sys
import threading
import types
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

package = Path(sys.argv[1])
sys.path.insert(0, str(package))
name = next(path.parent.name for path in package.glob("*/spec.json"))

own = types.ModuleType("own_rules")
own.execute = lambda tool, arguments, info: {"tool": tool, "said": arguments, "task": info["task_id"]}


async def reward(prompt, messages, info):
    return {"reward": 0.25 if messages else 0.0}


own.reward = reward
sys.modules["own_rules"] = own

__import__(name)
world = sys.modules[f"{name}.world"] if f"{name}.world" in sys.modules else __import__(f"{name}.world", fromlist=["x"])
task = world.tasks("train")[0]
messages = [{"role": "user", "content": task["prompt"]}, {"role": "assistant", "content": "Done."}]


async def play():
    episode = world.Episode("one", task["info"])
    answer = json.loads(await episode.call("get_order", {"order_id": 1}))
    episode.close()
    graded = await world.grade(task["info"], task["prompt"], messages, False)
    cut = await world.grade(task["info"], task["prompt"], messages, True)
    return answer, graded, cut


answer, graded, cut = asyncio.run(play())
assert answer == {"tool": "get_order", "said": {"order_id": 1}, "task": task["info"]["task_id"]}, answer
assert (graded["reward"], graded["metrics"]["judge_ok"], cut["reward"]) == (0.25, 1, 0.0), graded


class Server(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        said = {"reward": 0.75} if "row" in body else {"from": "afar", "tool": body["name"]}
        status = 500 if self.path == "/broken" else 200
        self.send_response(status)
        self.end_headers()
        self.wfile.write(json.dumps(said).encode())

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}"
world.SPEC["execute"], world.SPEC["reward"] = f"{url}/execute", f"{url}/reward"
answer, graded, _ = asyncio.run(play())
assert answer == {"from": "afar", "tool": "get_order"}, answer
assert graded["reward"] == 0.75, graded
world.SPEC["reward"] = f"{url}/broken"
_, graded, _ = asyncio.run(play())
assert (graded["reward"], graded["metrics"]["judge_ok"]) == (0.0, 0), graded
print(f"ok   own {package}: a world and a reward by module:name and by address")
