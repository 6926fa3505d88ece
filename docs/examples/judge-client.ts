interface Verdict {
  readonly reward: number | null;
  readonly judge_status: string;
  readonly reason: string;
}

/** Grade rows with a judge service: verdicts come in the order of the rows. Comes again when the service has no room. */
export async function judgeRows(rows: readonly object[], { url, token }: { url: string; token: string }, tries = 6) {
  for (let left = tries - 1; ; left--) {
    const answer = await fetch(`${url}/v1/judge`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ rows }),
    });
    if (answer.ok) return ((await answer.json()) as { verdicts: Verdict[] }).verdicts;
    if (![429, 503].includes(answer.status) || left === 0)
      throw new Error(`judge: ${answer.status} ${await answer.text()}`);
    await new Promise((resolve) => setTimeout(resolve, 1000 * Number(answer.headers.get('retry-after') ?? 1)));
  }
}
