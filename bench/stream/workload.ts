import { closeSync, openSync, writeSync } from 'node:fs';

const words =
  'order refund parcel invoice account address delivery card payment booking seat flight room driver meter'.split(' ');

/** Write `rows` rows of about 1 KB of which `repeats`, spread over the file, repeat an earlier row. */
export function writeWorkload(path: string, rows: number, repeats: number) {
  const every = Math.floor(rows / repeats);
  const file = openSync(path, 'w');
  let bytes = 0;
  let made = 0;
  let batch = '';
  for (let n = 0; n < rows; n++) {
    const isRepeat = n % every === every - 1;
    const number = isRepeat ? ((n * 7919 + 13) % 1_000_003) % n : n;
    batch += `${JSON.stringify(rowOf(number % every === every - 1 ? number - 1 : number))}\n`;
    if (isRepeat) made++;
    if (n % 1000 < 999 && n < rows - 1) continue;
    bytes += writeSync(file, batch);
    batch = '';
  }
  closeSync(file);
  return { repeats: made, bytes };
}

function rowOf(n: number) {
  const text = (length: number) =>
    Array.from({ length }, (_, at) => words[(n * 31 + at * 17 + at * at) % words.length]).join(' ');
  const prompt = `${text(14)} ${n}`;
  const final_text = text(20);
  const call = { name: 'get_order', arguments: { id: String(n) } };
  return {
    rollout_id: `r${n}`,
    scenario_id: `sc-${n >> 3}`,
    prompt,
    messages: [
      { role: 'user', content: prompt },
      { role: 'assistant', content: '', tool_calls: [call] },
      { role: 'tool', name: 'get_order', content: '{"status":"ok"}' },
      { role: 'assistant', content: final_text },
    ],
    steps: [{ tool: call.name, arguments: call.arguments, result: { status: 'ok', total: (n % 1000) / 10 } }],
    final_text,
    schema_version: '1',
    model_version: 'base',
    markers: { grounded: 1, polite: n % 2 },
  };
}
