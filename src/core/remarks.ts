/** One thing a report says besides its numbers: a word for programs, a sentence for people. */
export interface Remark {
  readonly code: string;
  readonly text: string;
}

/** Write remarks as the `notes` of a report. */
export const asNotes = (remarks: readonly Remark[]) => ({
  notes: remarks.map(({ text }) => text),
  note_codes: remarks.map(({ code }) => code),
});

/** Write remarks as the `warnings` of a report: what a reader must know before acting on it. */
export const asWarnings = (remarks: readonly Remark[]) => ({
  warnings: remarks.map(({ text }) => text),
  warning_codes: remarks.map(({ code }) => code),
});
