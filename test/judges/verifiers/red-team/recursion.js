const add = (a, b) => add(a, add(b, a));
