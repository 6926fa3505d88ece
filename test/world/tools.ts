/** The tools of a small hotel, for tests of the world and of agents. */
export const hotel = [
  {
    name: 'get_booking',
    description: 'Fetch a hotel booking.',
    parameters: { type: 'object', properties: { booking_id: { type: 'string' } }, required: ['booking_id'] },
  },
  {
    name: 'search_rooms',
    description: 'Find free rooms.',
    parameters: {
      type: 'object',
      properties: { query: { type: 'string' }, guests: { type: 'integer', minimum: 1 } },
      required: ['query'],
    },
  },
  {
    name: 'list_bookings',
    description: 'List bookings of a guest.',
    parameters: { type: 'object', properties: { guest_name: { type: 'string' }, status: { type: 'string' } } },
  },
  {
    name: 'create_booking',
    description: 'Book a room for a guest.',
    parameters: {
      type: 'object',
      properties: {
        guest_name: { type: 'string' },
        room_type: { type: 'string', enum: ['single', 'double', 'suite'] },
        check_in: { type: 'string' },
        note: { type: ['string', 'null'] },
      },
      required: ['guest_name', 'room_type', 'check_in'],
    },
  },
  {
    name: 'update_booking',
    description: 'Change a booking.',
    parameters: {
      type: 'object',
      properties: { booking_id: { type: 'string' }, check_in: { type: 'string' }, status: { type: 'string' } },
      required: ['booking_id'],
    },
  },
  {
    name: 'cancel_booking',
    description: 'Cancel a booking.',
    parameters: {
      type: 'object',
      properties: { booking_id: { type: 'string' }, reason: { type: 'string' } },
      required: ['booking_id'],
    },
  },
  {
    name: 'delete_booking',
    description: 'Delete a booking.',
    parameters: { type: 'object', properties: { booking_id: { type: 'string' } }, required: ['booking_id'] },
  },
  {
    name: 'refund_payment',
    description: 'Refund a payment.',
    parameters: {
      type: 'object',
      properties: { payment_id: { type: 'string' }, amount: { type: 'number' } },
      required: ['payment_id'],
    },
  },
];
