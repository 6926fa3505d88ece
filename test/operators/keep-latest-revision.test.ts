import { keepLatestRevision } from '../../src/operators/keep-latest-revision.ts';
import { filterContract } from '../contract.ts';

filterContract(keepLatestRevision);
