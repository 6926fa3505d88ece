const add = () => new Proxy([], { get: (_target, key) => (key === 'length' ? 1 : 3) });
# --- tests
assert.deepStrictEqual(add(1, 2), [3]);
