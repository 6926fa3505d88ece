import type { Io } from './io.ts';

const everyMs = { terminal: 100, log: 5000 } as const;

/** Show how far a command is: one line that redraws on a terminal, else one summary line every five seconds. */
export function progress(io: Io, text: () => string, clock: () => number = Date.now) {
  const startMs = clock();
  let said = false;
  const line = () => `${text()} (${((clock() - startMs) / 1000).toFixed(0)} s)`;
  const show = (): void => {
    said = true;
    if (io.isTerminal) process.stderr.write(`\r\u001b[2K${line()}`);
    else io.say(line());
  };
  const timer = setInterval(show, io.isTerminal ? everyMs.terminal : everyMs.log);
  timer.unref();
  return {
    end(): void {
      clearInterval(timer);
      if (io.isTerminal && said) process.stderr.write('\r\u001b[2K');
    },
  };
}
