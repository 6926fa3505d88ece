/** What a query must not name, as it reaches files, other programs or settings; no string or quoting hides a name of these. */
const forbidden =
  /\b(?:readfile|writefile|fsdir|lsmode|edit|zipfile|load_extension|fts3_tokenizer|pg_read_file|pg_read_binary_file|pg_stat_file|pg_ls_\w+|pg_file_\w+|pg_terminate_backend|pg_cancel_backend|pg_reload_conf|pg_rotate_logfile|pg_advisory_\w+|set_config|lo_\w+|dblink\w*|\w+_to_xml\w*|ts_stat|pg_switch_wal|pg_promote|currval|nextval|setval)\b/i;

/** Why a query is not run; undefined when it is one statement that reads. */
export function refusal(sql: string): string | undefined {
  const bare = withoutText(sql).trim().replace(/;+$/, '');
  if (!/^\(*\s*(?:select|with|values|table)\b/i.test(bare)) return 'not a query that reads';
  if (bare.includes(';')) return 'more than one statement';
  return forbidden.test(sql) ? 'it names a function that is not allowed' : undefined;
}

/** Whether the rows of a query have an order: `ORDER BY` outside of every parenthesis. */
export function isOrdered(sql: string): boolean {
  let depth = 0;
  let flat = '';
  for (const letter of withoutText(sql)) {
    if (letter === '(') depth++;
    if (depth === 0) flat += letter;
    if (letter === ')') depth--;
  }
  return /\border\s+by\b/i.test(flat);
}

/** The statement as it is prepared: no comment nor semicolon after it. */
export const statement = (sql: string): string =>
  withoutText(sql, true)
    .trim()
    .replace(/[\s;]+$/, '');

/** Drop comments and, unless they are to be kept, strings and quoted names. One pass. */
function withoutText(sql: string, keepsText = false): string {
  let out = '';
  for (let at = 0; at < sql.length; ) {
    const end = endOf(sql, at);
    const part = sql.slice(at, end);
    const isComment = part.startsWith('--') || part.startsWith('/*');
    if (isComment) out += ' ';
    else if (end === at + 1 || keepsText) out += part;
    else out += '_';
    at = end;
  }
  return out;
}

const closing: Readonly<Record<string, string>> = { "'": "'", '"': '"', '`': '`', '[': ']' };

/** Where the comment, string or letter at `at` ends. */
function endOf(sql: string, at: number): number {
  if (sql.startsWith('--', at)) return after(sql, '\n', at);
  if (sql.startsWith('/*', at)) return after(sql, '*/', at + 2);
  const tag = sql[at] === '$' ? /^\$(?:[A-Za-z_]\w*)?\$/.exec(sql.slice(at, at + 64))?.[0] : undefined;
  if (tag) return after(sql, tag, at + tag.length);
  const close = closing[sql[at] ?? ''];
  return close === undefined ? at + 1 : after(sql, close, at + 1);
}

function after(sql: string, what: string, from: number): number {
  const at = sql.indexOf(what, from);
  return at < 0 ? sql.length : at + what.length;
}
