/** Apply an asynchronous step to every item, a few at a time; the results are in the order of the items. */
export async function mapInOrder<In, Out>(
  items: readonly In[],
  concurrency: number,
  step: (item: In, index: number) => Out | Promise<Out>,
): Promise<Out[]> {
  const out = new Array<Out>(items.length);
  const queue = items.entries();
  const reader = async (): Promise<void> => {
    for (const [n, item] of queue) {
      const answer = step(item, n);
      out[n] = answer instanceof Promise ? await answer : answer; // what is known at once costs no turn
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, reader));
  return out;
}
