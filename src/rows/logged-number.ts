import { z } from 'zod';

/** A number as a trainer reports it, also when it is none any more: NaN, an infinity, or the null that JSON writes for them. */
export const loggedNumberSchema = z.custom<number | null>(
  (value) => value === null || typeof value === 'number',
  'a number',
);

/** Read a logged number: null was NaN before it was JSON. */
export const loggedNumber = (value: number | null): number => value ?? Number.NaN;
