import { joinFeedback } from '../../src/operators/join-feedback.ts';
import { operatorContract } from '../contract.ts';

operatorContract(joinFeedback);
