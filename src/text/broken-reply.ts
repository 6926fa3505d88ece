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
export const isDegenerate = (text: string): boolean => mayBeStuck(text) && stuckKey.test(text);

/** Look at every tenth place: a character repeated so often fills the places two, four and six after one of them. */
function mayBeStuck(text: string): boolean {
  for (let at = 0; at + 6 < text.length; at += 10) {
    const unit = text.charCodeAt(at); // by two: an emoji is a pair of units
    if (text.charCodeAt(at + 2) === unit && text.charCodeAt(at + 4) === unit && text.charCodeAt(at + 6) === unit)
      return true;
  }
  return false;
}
