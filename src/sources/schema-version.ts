import type { Context } from '../core/operator.ts';
import { headerText } from '../core/record.ts';
import type { DecodeRecord } from './kafka-partition.ts';

/**
 * Refuse records of a newer major version than this one reads: they may parse and mean something else. Each is counted as
 * `newer_schema` and becomes a dead letter that can be replayed after an update. A record without `tm-schema` is read.
 */
export function readsUpTo<Row>(major: number, decode: DecodeRecord<Row>, context: Context): DecodeRecord<Row> {
  return (record, receipt) => {
    const said = headerText(record.headers, 'tm-schema') ?? '';
    const theirs = Number(/\/(\d+)/.exec(said)?.[1] ?? 0);
    if (theirs <= major) return decode(record, receipt);
    context.count('source', 'newer_schema');
    const advice = `its tm-schema is ${said}, and this version reads up to ${major}: update, then replay the dead letters`;
    context.reject({ row: String(record.value ?? ''), receipt }, 'kafka', 'newer_schema', advice);
    return undefined;
  };
}
