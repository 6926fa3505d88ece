/** Print what a process used since it began, for the one that started it. */
export function printFigures(more: object = {}): void {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const cpu_s = Number(((userCPUTime + systemCPUTime) / 1e6).toFixed(2));
  const seconds = Number((performance.now() / 1000).toFixed(2));
  process.stdout.write(JSON.stringify({ seconds, cpu_s, rss_mb: Math.round(maxRSS / 1024), ...more }));
}
