const add = (a, b) => new Promise((done) => setTimeout(() => done(a + b), 3600000));
# --- tests
assert.strictEqual(await add(1, 2), 3);
