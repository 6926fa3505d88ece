const add = () => new Promise(() => {});
# --- tests
assert.strictEqual(await add(1, 2), 3);
