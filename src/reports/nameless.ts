/** What is said of rows that name no task: they are one task together, whose rollouts they seem to be. */
export const namelessWords = (rows: number): string =>
  `${rows} rows name no task (scenario_id, task_id or prompt) and count as rollouts of one.`;
