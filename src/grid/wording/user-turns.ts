const mark = /\r?\n<USER_TURN>\r?\n/u;

/** Split an ask at its `<USER_TURN>` lines: the first words, then what the person says next, turn by turn. */
export function splitUserTurns(message: string): readonly string[] {
  return message
    .split(mark)
    .map((turn) => turn.trim())
    .filter((turn, n) => n === 0 || turn !== '');
}
