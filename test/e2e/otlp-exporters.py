"""Play one conversation with a model that answers from a list, instrumented by argv[1], and export it to argv[2]."""

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

from openai import OpenAI
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

CALL = {"id": "call-1", "type": "function", "function": {"name": "find", "arguments": '{"id": 7}'}}
TURNS = [
    ({"role": "assistant", "content": None, "tool_calls": [CALL]}, "tool_calls"),
    ({"role": "assistant", "content": "Here."}, "stop"),
]
TOOLS = [{"type": "function", "function": {"name": "find", "parameters": {"type": "object", "properties": {}}}}]


class Model(BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        turn = sum(message["role"] == "assistant" for message in asked["messages"])
        message, finish = TURNS[turn]
        choice = {"index": 0, "message": message, "finish_reason": finish}
        usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
        answer = {"id": f"r-{turn}", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
        body = json.dumps({**answer, "usage": usage}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def main():
    how, url, compression = sys.argv[1:4]
    model = HTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=model.serve_forever, daemon=True).start()
    provider = TracerProvider()
    exporter = OTLPSpanExporter(endpoint=f"{url}/v1/traces", compression=Compression(compression))
    provider.add_span_processor(BatchSpanProcessor(exporter))
    if how == "openllmetry":
        from opentelemetry.instrumentation.openai import OpenAIInstrumentor

        OpenAIInstrumentor().instrument(tracer_provider=provider)
    elif how == "openinference":
        from openinference.instrumentation.openai import OpenAIInstrumentor

        OpenAIInstrumentor().instrument(tracer_provider=provider)
    client = OpenAI(base_url=f"http://127.0.0.1:{model.server_port}/v1", api_key="none")
    tracer = provider.get_tracer("shop")
    messages = [{"role": "user", "content": "Where is it?"}]
    with tracer.start_as_current_span("conversation", attributes={"session.id": "c"}):
        first = client.chat.completions.create(model="m", messages=messages, tools=TOOLS).choices[0].message
        messages += [first.model_dump(exclude_none=True), {"role": "tool", "tool_call_id": "call-1", "content": "shelf"}]
        last = client.chat.completions.create(model="m", messages=messages, tools=TOOLS).choices[0].message
        if how == "none":
            said = [{"role": "assistant", "parts": [{"type": "text", "content": last.content}]}]
            asked = [{"role": "user", "parts": [{"type": "text", "content": "Where is it?"}]}]
            written = {"gen_ai.input.messages": json.dumps(asked), "gen_ai.output.messages": json.dumps(said)}
            with tracer.start_as_current_span("chat", attributes={"gen_ai.operation.name": "chat", **written}):
                pass
    provider.shutdown()


main()
