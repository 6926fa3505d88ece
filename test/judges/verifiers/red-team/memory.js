const kept = [];
for (;;) kept.push(new Uint8Array(1 << 24).fill(1));
