/** How many clauses become blocks of the grid unless asked otherwise. */
export const defaultClauseCap = 16;
const minClause = 8;
const maxClause = 120;

/** The clauses of a policy and how many there were before the cap. */
export interface PolicyClauses {
  readonly clauses: readonly string[];
  /** Distinct clauses found; more than `clauses.length` when the cap cut some. */
  readonly found: number;
}

/**
 * Split a policy into its clauses: one list item, one sentence or one part between semicolons each, at most 120
 * characters. Role lines ("You are ...") and headings are no clauses.
 *
 * @source house rule
 */
export function policySections(policy: string, cap = defaultClauseCap): readonly string[] {
  return policyClauses(policy, cap).clauses;
}

/** Split a policy as `policySections` does and say how many clauses there were. */
export function policyClauses(policy: string, cap = defaultClauseCap): PolicyClauses {
  const distinct = new Map<string, string>();
  for (const block of blocksOf(policy))
    for (const clause of clausesOf(withoutRole(block))) {
      const key = foldClause(clause);
      if (!distinct.has(key)) distinct.set(key, clause);
    }
  const all = [...distinct.values()];
  return { clauses: all.slice(0, cap), found: all.length };
}

/** The form in which clauses are compared: a new case or new white space is the same clause. */
export const foldClause = (clause: string): string => fold(clause).toLowerCase();

const fold = (text: string): string => text.replace(/\s+/gu, ' ').trim();
const marker = /^\s*(?:[-*•+]|\(?\d{1,3}[.)])\s+/u;
const heading = /^\s*#{1,6}(?:\s|$)/u;
const rule = /^\s*(?:[-=*_]\s*){3,}$/u;
const label = /^\s*(?:\*\*)?\p{Lu}[\p{L}\p{N} /'-]{0,40}:(?:\*\*)?\s/u;
/** A line such as "Refund rules:" announces what follows; it asks for nothing itself. */
const announces = /^\s*(?:\*\*)?(?:\S+\s+){0,4}\S+:(?:\*\*)?\s*$/u;

/** Join the lines that belong together. A blank line, a heading, a list marker or a label begins a new block. */
function blocksOf(policy: string): readonly string[] {
  const blocks: string[] = [];
  let open: string[] = [];
  const close = () => {
    if (open.length > 0) blocks.push(fold(open.join(' ')));
    open = [];
  };
  const lines = policy.split(/\r\n|\r|\n/u);
  for (const [at, line] of lines.entries()) {
    if (isHeading(line, lines[at + 1]) || line.trim() === '') {
      close();
      continue;
    }
    if (marker.test(line) || label.test(line)) close();
    open.push(line.replace(marker, '').replaceAll('**', ''));
  }
  close();
  return blocks;
}

function isHeading(line: string, next = ''): boolean {
  return (
    heading.test(line) || rule.test(line) || announces.test(line) || (/\S/u.test(line) && /^\s*={3,}\s*$/u.test(next))
  );
}

const role = /^(?:you are|you['’]re|your role|act as)\b/iu;
/** "You are not allowed to ..." begins like a role and is a rule. */
const duty =
  /^you(?: are|['’]re)\s+(?:(?:not|never|only)\b|(?:also |always )?(?:allowed|permitted|required|expected|forbidden|responsible|obliged)\b)/iu;

/** Cut a leading role clause up to its first sentence end or semicolon; what follows stays. */
function withoutRole(block: string): string {
  if (!role.test(block) || duty.test(block)) return block;
  const end = /[.!?。！？](?=\s|$)|[。！？]|;\s/u.exec(block);
  return end ? block.slice(end.index + end[0].length).trim() : '';
}

function clausesOf(block: string): readonly string[] {
  return splitWhole(block, /(?<=[.!?])\s+|(?<=[。！？])\s*/u)
    .flatMap((sentence) => splitWhole(sentence, /;\s+/u))
    .map((clause) => cut(fold(clause)))
    .filter((clause) => clause.length >= minClause);
}

/** Split only when that gives two or more parts that can all stand alone. */
function splitWhole(text: string, at: RegExp): readonly string[] {
  const parts = text
    .split(at)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.length >= 2 && parts.every((part) => part.length >= minClause) ? parts : [text];
}

function cut(clause: string): string {
  const letters = [...clause];
  if (letters.length <= maxClause) return clause;
  const kept = letters.slice(0, maxClause).join('');
  return kept.replace(/\s+\S*$/u, '').replace(/[ ,;:]+$/u, '');
}
