export default async function agent(message, { call, tools, systemPrompt }) {
  const [id] = message.match(/\b[A-Z]{3}-?\d+\b/) ?? [];
  if (id === undefined) return 'Which order do you mean?';
  const order = await call('get_order', { order_id: id });
  return order.error ? `I could not look it up: ${order.error}` : `Order ${id}: ${JSON.stringify(order.data)}`;
}
