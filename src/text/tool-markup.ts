const rawCall = /<\/?tool_calls?\b/i;
const schemaReach = 500; // characters between the parts of a dumped schema

/** Say whether a text holds what only a parser should see: a raw tool call tag, or the recited schema of a tool. */
export const hasToolMarkup = (text: string): boolean => rawCall.test(text) || dumpsSchema(text);

/** Say whether a text recites the schema of a tool: its name, description and parameters close together. */
export function dumpsSchema(text: string): boolean {
  if (!text.includes('parameters')) return false; // most texts end here
  const at = (key: string) => [...text.matchAll(new RegExp(`["']${key}["']\\s*:`, 'g'))].map(({ index }) => index);
  const [names, parameters] = [at('name'), at('parameters')];
  const near = (from: number, to: number) => to > from && to - from <= schemaReach;
  return (
    names.length > 0 &&
    parameters.length > 0 &&
    at('description').some(
      (middle) => names.some((name) => near(name, middle)) && parameters.some((end) => near(middle, end)),
    )
  );
}
