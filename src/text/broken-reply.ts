/** Words of the machinery around the agent; a reply that holds one was not written for a user. */
const harnessWords = /<user_turn>|scene brief|scenario_dimensions|world_state|situation card|region_id/i;
const errorStub = /^<agent error/i;
const serverStub = /returned\s+[45]\d\d\b/i;
/** A bare HTTP code at the start, perhaps after a URL. */
const bareCode = /^(?:https?:\/\/\S+\s+)?[45]\d\d\b/i;
const stuckKey = /(\S)\1{29}/u;

/** Say whether a text speaks of the harness. */
export const hasHarnessWords = (text: string): boolean => harnessWords.test(text);

/** Say whether a reply is what an HTTP layer wrote and no agent. */
export const isInfraStub = (text: string): boolean =>
  errorStub.test(text) || serverStub.test(text) || bareCode.test(text);

/** Say whether one character is repeated 30 times in a row. */
export const isDegenerate = (text: string): boolean => stuckKey.test(text);
