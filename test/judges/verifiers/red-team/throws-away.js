const add = () => {
  throw undefined;
};
