import { isObject, type JsonObject, numberOf, present, written } from '../fields.ts';
import { type FileFormat, rejected } from '../format.ts';

const isEntry = (value: unknown) =>
  isObject(value) &&
  (value['task_id'] !== undefined || value['scenario_id'] !== undefined) &&
  typeof value['reward'] === 'number' &&
  Object.values(value).every((one) => typeof one !== 'object' || one === null) &&
  !['prompt', 'final_text', 'steps', 'messages'].some((name) => name in value);

/** A table of verdicts: task, trial and reward, without the runs. */
export const rewardTable: FileFormat = {
  name: 'reward-table',
  unit: 'record',
  detect: ({ first }) => isEntry(first),
  read(value) {
    if (!isEntry(value)) return rejected('invalid_record', value);
    const { task_id, scenario_id, trial, rollout_index, ...rest } = value as JsonObject;
    const task = written(scenario_id ?? task_id);
    return [
      {
        kind: 'label',
        label: { ...rest, ...present({ task_id: task, rollout_index: numberOf(trial) ?? numberOf(rollout_index) }) },
      },
    ];
  },
};
