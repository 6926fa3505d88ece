import { dropUnreadableCalls } from '../../src/operators/drop-unreadable-calls.ts';
import { filterContract } from '../contract.ts';

filterContract(dropUnreadableCalls);
