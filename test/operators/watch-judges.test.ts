import { watchJudges } from '../../src/operators/watch-judges.ts';
import { operatorContract } from '../contract.ts';

operatorContract(watchJudges); // its figures are tested with its rule, test/judges/trust/drift.test.ts
