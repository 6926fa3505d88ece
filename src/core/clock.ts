/** Tells the time in ms since 1970. Whoever needs the time takes a clock as an argument, so that a test can hold it. */
export type Clock = () => number;

/** The clock of the machine. Only sources, sinks, servers and commands name it. */
export const systemClock: Clock = () => Date.now();

/** The same in nanoseconds, to the microsecond: for times that are told on, where a millisecond is long. */
export const systemClockNs = (): bigint =>
  BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 1000n;
