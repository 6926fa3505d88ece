import { type Operator, toOperator } from './operator.ts';

/** Give every row on as it is: between a source and a sink that need nothing between them. */
export const pass = <Row>(): Operator<Row, Row> => toOperator<Row, Row>('pass', () => (rows) => rows, {});
