import { z } from 'zod';
import { compose } from '../core/compose.ts';
import type { SessionPorts } from '../core/session-store.ts';
import { type AnyStage, defineStage } from '../core/stage.ts';
import type { ReceivedRecord } from '../dialects/otlp/span-record.ts';
import { joinFeedback } from '../operators/join-feedback.ts';
import { redact } from '../operators/redact.ts';
import { sessions } from '../operators/sessions.ts';
import { type Row, rowSchema } from '../rows/row.ts';
import { rowIdentity } from './row-identity.ts';

interface Listening {
  readonly sessions: z.input<typeof sessions.spec.options>;
  readonly redact: z.input<typeof redact.spec.options>;
  /**
   * The rows told before: a verdict that comes when its trace is forgotten goes to the row that was told, and a span becomes a
   * row of its own.
   */
  readonly told?: { find(row: Row): Promise<Row | undefined> } & SessionPorts;
}

/** Spans and log records of a receiver in, one row for each conversation out, without what had to be redacted. */
export function listenStages({ sessions: limits, redact: secrets, told }: Listening): readonly AnyStage[] {
  return [
    defineStage<ReceivedRecord, Row>({
      name: 'sessions',
      from: 'records',
      to: 'traces',
      reads: z.custom<ReceivedRecord>(() => true), // made by the decoder of this process
      writes: rowSchema,
      ...rowIdentity,
      per: 'task',
      operator: () =>
        told
          ? compose(
              sessions({ ...limits, tellsFeedback: true }, told) as never,
              redact(secrets),
              joinFeedback({}, { told }),
            )
          : compose(sessions(limits) as never, redact(secrets)),
    }),
  ];
}
