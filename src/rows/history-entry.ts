import { z } from 'zod';

const figure = z.number().nullable();

/** The figures of one evaluation of a run under watch. Null is not measured, or no number. */
export const historyFiguresSchema = z.looseObject({
  type: z.literal('history'),
  run_id: z.string(),
  step: z.number(),
  /** Completions. */
  n: z.int().min(0),
  /** Means over completions; gold over those that were judged. */
  proxy: figure,
  gold: figure,
  /** Mean characters of a completion. */
  length: figure,
  /** The last KL that was logged. */
  kl: figure,
  gold_vs_window: z
    .looseObject({ delta: figure, ci95: z.tuple([z.number(), z.number()]).nullable(), verdict: z.string() })
    .optional(),
  /** Relative change of `length` over the window. */
  length_growth: figure.optional(),
});

/** The figures with the completions behind them, whose markers `proxy` and `gold` later evaluations are compared with. */
export const historyEntrySchema = historyFiguresSchema.extend({ rows: z.array(z.looseObject({})).readonly() });

export type HistoryFigures = Readonly<z.output<typeof historyFiguresSchema>>;
export type HistoryEntry = Readonly<z.output<typeof historyEntrySchema>>;

/** Identity of an evaluation: its run and step. */
export const historyId = ({ run_id, step }: { readonly run_id: string; readonly step: number }): string =>
  `${run_id}#${step}`;
