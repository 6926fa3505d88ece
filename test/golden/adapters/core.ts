import { from, lastValueFrom, toArray } from 'rxjs';
import { dedupe } from '../../../src/operators/dedupe.ts';
import type { Adapters } from '../run-case.ts';

/** Cases of our own over the operators. */
export const adapters: Adapters = {
  dedupe: (rows, options) => lastValueFrom(from<never[]>(rows).pipe(dedupe(options), toArray())),
};
