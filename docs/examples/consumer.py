# Reads graded rows. A topic is at least once: the header `tm-id` tells a repeat.
# pip install confluent-kafka; python consumer.py localhost:9092 evaluate.graded.v1
import json
import sys
from confluent_kafka import Consumer

broker, topic = (sys.argv[1:] + ["localhost:9092", "evaluate.graded.v1"])[:2]
consumer = Consumer({"bootstrap.servers": broker, "group.id": "my-service-py", "auto.offset.reset": "earliest"})
consumer.subscribe([topic])
seen = set()  # a service upserts by the id instead: then a restart forgets nothing

while True:
    message = consumer.poll(1.0)
    if message is None or message.error() or message.value() is None:
        continue
    headers = {name: value.decode() for name, value in message.headers() or [] if value is not None}
    if headers["tm-id"] in seen:
        continue
    if int(headers["tm-schema"].split("/")[1]) > 1:
        raise SystemExit(f"rows of {headers['tm-schema']} are newer than this reader")
    print(headers["tm-id"], json.loads(message.value())["reward"], flush=True)
    seen.add(headers["tm-id"])
