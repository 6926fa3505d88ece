import { keepForRl } from '../../src/operators/keep-for-rl.ts';
import { filterContract } from '../contract.ts';

filterContract(keepForRl);
