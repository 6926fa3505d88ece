import { remembered } from './remembered.ts';

/** Attributes that say whose machine, account or address it was, by the last words of their names. */
const fields: readonly (readonly [kind: string, names: RegExp])[] = [
  ['host', /(?:^|\.)host\.(?:name|id|ip|mac)$|^(?:net\.host|net\.peer|server\.socket)\.name$|^device\.id$/],
  ['user', /(?:^|\.)(?:enduser|user)[._](?:id|name|full_name|email|hash)$|^process\.owner$|\.user_?id$/i],
  ['path', /^process\.(?:command|command_line|command_args|executable\.path|working_directory)$|^code\.file\.?path$/],
  ['ip', /^(?:client|source)\.address$|^net\.(?:sock\.)?peer\.(?:ip|addr)$|^http\.client_ip$/],
];

const kindOf = remembered((key) => fields.find(([, names]) => names.test(key))?.[0]);

/**
 * Tell what a value is because of the attribute it stands under, whatever it looks like. Only attributes of telemetry, which
 * have dots in their names: a `user_id` among a tool's arguments is what the tool is about.
 *
 * @source OpenTelemetry semantic conventions: resource, host, process, user, client; names of Langfuse, LangSmith, Traceloop
 */
export function personalField(key: string, value: string): string | undefined {
  if (!key.includes('.') || value === '') return undefined;
  return kindOf(key);
}
