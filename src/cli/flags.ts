import { type Command, Option } from 'commander';
import { z } from 'zod';
import { TracemillError } from '../core/errors.ts';

type Shape = Readonly<Record<string, z.ZodType>>;

/**
 * Add one flag for each option of a schema: its name in kebab-case, its meaning and default as the schema says. Values
 * stay text here; `readFlags` turns them into what the schema asks for.
 */
export function addFlags(command: Command, shape: Shape): Command {
  for (const [name, schema] of Object.entries(shape)) {
    const { type, enum: choices, default: byDefault, description = '' } = describe(schema);
    const flag = `--${kebab(name)}`;
    const many =
      type === 'array' ? ' <value...>' : type === 'boolean' ? '' : ` <${choices ? 'word' : valueName(type)}>`;
    const notes = [
      ...(choices ? [choices.join(', ')] : []),
      ...(byDefault !== undefined && byDefault !== false ? [`default: ${JSON.stringify(byDefault)}`] : []),
    ];
    const option = new Option(`${flag}${many}`, [description, ...notes.map((note) => `(${note})`)].join(' '));
    command.addOption(option);
  }
  return command;
}

/** The options of a schema out of what commander read. A value that is no number stays text: the schema then names it. */
export function readFlags<S extends z.ZodObject>(
  name: string,
  schema: S,
  flags: Readonly<Record<string, unknown>>,
): z.output<S> {
  const values = Object.entries(schema.shape as Shape).flatMap(([key, inner]) => {
    const value = flags[key];
    return value === undefined ? [] : [[key, fromText(value, describe(inner).type)] as const];
  });
  const result = schema.safeParse(Object.fromEntries(values));
  if (result.success) return result.data;
  const said = result.error.issues.map(({ path, message }) => `--${kebab(path.join('.'))}: ${message}`).join('; ');
  throw new TracemillError('TM_OPTIONS', `${name}: ${said}`, { cause: result.error });
}

interface Described {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly description?: string;
}

/** A schema that also takes null is described as what else it takes: a flag that is not given stands for null. */
function describe(schema: z.ZodType): Described {
  const { anyOf, type, ...found } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Described & {
    readonly anyOf?: readonly Described[];
  };
  const types = [type ?? []].flat().filter((one) => one !== 'null');
  const choices = anyOf?.filter((one) => one.type !== 'null') ?? [];
  if (choices.length === 1) return { ...choices[0], ...found };
  return types.length === 1 ? { ...found, type: types[0] as string } : found;
}

function fromText(value: unknown, type: Described['type']): unknown {
  if (typeof value !== 'string' || (type !== 'number' && type !== 'integer')) return value;
  const number = Number(value);
  return value.trim() === '' || Number.isNaN(number) ? value : number;
}

/** The words of a command line that give these options again. */
export const flagsOf = (options: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    return value === true ? [`--${kebab(name)}`] : [`--${kebab(name)}`, ...[value].flat().map(String)];
  });

/** `minGrams` as a flag says it: `min-grams`. */
export const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const valueName = (type: Described['type'] = 'value') => (type === 'integer' || type === 'number' ? 'n' : 'value');
