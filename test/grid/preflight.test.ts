import { expect, it } from 'vitest';
import { coverageGap } from '../../src/grid/coverage-gap.ts';
import { preflight } from '../../src/grid/preflight.ts';
import { recommend } from '../../src/grid/recommend.ts';
import { hotelPolicy, hotelTools } from './agents.ts';

const many = Array.from({ length: 24 }, (_, n) => `${n + 1}. Rule number ${n} covers one special case.`).join('\n');

it('says when the cap leaves clauses off the grid, before anything runs', () => {
  expect(preflight([...hotelTools], many).warning_codes).toContain('clauses_capped');
  expect(recommend(hotelTools, many).reasoning.join(' ')).toContain('16 of 24');
});

it('has nothing to say of tools and a policy that leave nothing to guess', () => {
  const tool = {
    name: 'get_booking',
    description: 'Read a booking.',
    parameters: { type: 'object', properties: { booking_id: { type: 'string' } }, required: ['booking_id'] },
    returns: { id: 1 },
  };
  const policy = `${hotelPolicy} Always get the booking before you answer.`;
  expect(preflight([tool], policy)).toMatchObject({ ok: true, warnings: [] });
});

it('shows tools and clauses that no ask touches', () => {
  const gap = coverageGap(['Cancel booking B-1, right now'], hotelTools, hotelPolicy);
  expect(gap.untested_tools).toEqual(['search_rooms', 'send_confirmation']);
  expect(gap.untested_rules).toContain('Refunds over 200 EUR need a human.');
  expect(gap.stances).toEqual({ hurried: 1 });
});
