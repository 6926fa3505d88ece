import { keepForSft } from '../../src/operators/keep-for-sft.ts';
import { filterContract } from '../contract.ts';

filterContract(keepForSft);
