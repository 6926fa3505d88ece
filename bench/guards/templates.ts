const shared = [
  'please cancel my order and refund the full amount to the original card because it arrived broken',
  'i would like to know where my parcel is since the tracking page has not changed for several days',
  'can you update the delivery address on my account to the new one that i gave you last week',
];

/** Texts of three templates, told apart by their numbers: every text shares its sentence with a third of all others. */
export const templateText = (n: number, side: string): string =>
  `${shared[n % 3]} my reference is ${side}${n} and the item was ${(n * 7919) % 100_003} in box ${side}${(n * 31) % 1009} thank you ${n % 17}`;

/** Rows and evaluation texts of the templates; one row in fifty holds an evaluation text behind a greeting. */
export function templateRows(n: number) {
  const rows = Array.from({ length: n }, (_, at) => ({
    prompt: at % 50 === 0 ? `hello there ${templateText(at, 'e')}` : templateText(at, 't'),
  }));
  return { rows, against: Array.from({ length: n }, (_, at) => ({ prompt: templateText(at, 'e') })) };
}
