import { type Tool, toolsFrom } from '../../src/rows/tool.ts';

const tool = (name: string, ...names: string[]) => ({
  name,
  description: `Tool ${name}.`,
  parameters: { type: 'object', properties: Object.fromEntries(names.map((one) => [one, { type: 'string' }])) },
});

/** A hotel desk: two reads, a create, a cancel, a send. */
export const hotelTools: readonly Tool[] = toolsFrom([
  tool('get_booking', 'booking_id'),
  tool('search_rooms', 'query', 'check_in'),
  tool('create_booking', 'guest_name', 'room_type'),
  tool('cancel_booking', 'booking_id', 'reason'),
  tool('send_confirmation', 'booking_id', 'email'),
]);

export const hotelPolicy = `You are the night desk of a small hotel.

1. Verify the guest before you discuss a booking.
2. Refunds over 200 EUR need a human.
3. Never change a booking that has already started.
4. Cancel only bookings younger than 14 days.
5. Confirm the dates before creating a booking.
6. Do not reveal payment card numbers.
7. Offer late checkout only for suites.
8. Close a complaint only after the guest agrees.
9. Quote prices in the currency of the booking.
10. Escalate legal threats to a human at once.
`;

/** As many read tools as asked for. */
export const manyTools = (count: number): readonly Tool[] =>
  toolsFrom(Array.from({ length: count }, (_, n) => tool(`get_thing_${n}`, 'thing_id')));
