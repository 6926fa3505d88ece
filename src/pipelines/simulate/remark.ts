/** What a run says of itself: a word for programs, a sentence for people. */
export type Remark = readonly [code: string, sentence: string];
