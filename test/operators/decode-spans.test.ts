import { decodeSpans } from '../../src/operators/decode-spans.ts';
import { operatorContract } from '../contract.ts';

operatorContract(decodeSpans);
