/** A named number for each graded row. */
export interface Column {
  readonly name: string;
  readonly values: Uint8Array | Float64Array;
  /** Only 0 and 1. */
  readonly isBinary: boolean;
  /** Rows on which it is not zero. */
  readonly observed: number;
}

/** Name a column; numbers that are all 0 or 1 become a yes or no. */
export function columnOf(name: string, given: Uint8Array | Float64Array): Column {
  const isBinary = given instanceof Uint8Array || isYesNo(given);
  const values = isBinary && given instanceof Float64Array ? new Uint8Array(given) : given;
  let observed = 0;
  for (let at = 0; at < values.length; at++) if (values[at] !== 0) observed++;
  return { name, values, isBinary, observed };
}

/** Name a yes or no, given the places of the rows where it is yes, each once. */
export function yesAt(name: string, places: readonly number[], length: number): Column {
  const values = new Uint8Array(length);
  for (const at of places) values[at] = 1;
  return { name, values, isBinary: true, observed: places.length };
}

/** Say whether a column differs between rows. */
export function varies({ values, isBinary, observed }: Column): boolean {
  if (isBinary) return observed > 0 && observed < values.length;
  for (let at = 1; at < values.length; at++) if (values[at] !== values[0]) return true;
  return false;
}

function isYesNo(values: Float64Array): boolean {
  for (let at = 0; at < values.length; at++) if (values[at] !== 0 && values[at] !== 1) return false;
  return true;
}
