import { Agent, request } from 'node:http';

/** Ask a server about batches of rows from several clients, and say how fast it answered: one JSON line. */
const [url = '', clients = '8', batch = '32', seconds = '10', rowsPerS = '0'] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: Number(clients) });
const filler = 'the order was found on the shelf and sent to the address '.repeat(66); // 4 KB with the rest of a row
let made = 0;

const bodyOf = (): string =>
  JSON.stringify({
    rows: Array.from({ length: Number(batch) }, () => {
      const n = made++;
      return { rollout_id: `r${n}`, scenario_id: `s${n % 500}`, prompt: 'Where is it?', final_text: `${filler}${n}` };
    }),
  });

function ask(body: string): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'x-api-key': 'bench',
      'content-length': Buffer.byteLength(body),
    };
    const sent = request(url, { method: 'POST', agent, headers }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(pieces).toString() }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const bodies = Array.from({ length: 64 }, bodyOf); // made before the clock starts
const took: number[] = [];
const said = { rows: 0, verdicts: 0, null_rewards: 0, sent_away: 0, lost: 0 };
const end = performance.now() + Number(seconds) * 1000;
const pauseMs = Number(rowsPerS) > 0 ? (Number(batch) * Number(clients) * 1000) / Number(rowsPerS) : 0;

async function client(first: number): Promise<void> {
  let due = performance.now();
  for (let n = first; performance.now() < end; n++) {
    const start = performance.now();
    const { status, text } = await ask(bodies[n % bodies.length] ?? '');
    took.push(performance.now() - start);
    if (status === 429) said.sent_away++;
    else {
      said.rows += Number(batch);
      const { rewards } = JSON.parse(text) as { readonly rewards?: readonly (number | null)[] };
      const n = rewards?.length ?? Number(batch); // the echo gives the rows
      said.verdicts += n;
      said.null_rewards += rewards?.filter((reward) => reward === null).length ?? 0;
      if (status !== 200 || n !== Number(batch)) said.lost++;
    }
    due += pauseMs; // a slow answer does not lower the rate: what is due by then is asked at once
    const left = due - performance.now();
    if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
  }
}
const start = performance.now();
await Promise.all(Array.from({ length: Number(clients) }, (_, n) => client(n * 7)));
const s = (performance.now() - start) / 1000;
took.sort((a, b) => a - b);
const at = (share: number) => Math.round((took[Math.floor(took.length * share)] ?? 0) * 10) / 10;
const figures = { ...said, rows_per_s: Math.round(said.rows / s), p50_ms: at(0.5), p99_ms: at(0.99) };
process.stdout.write(`${JSON.stringify(figures)}\n`);
agent.destroy();
