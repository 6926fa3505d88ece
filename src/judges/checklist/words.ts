import { isDenied } from '../../text/clauses.ts';
import { plainQuotes } from '../../text/phrases.ts';
import { statementsOf } from '../conduct/claims.ts';

const asksBack = /[?？؟]/u;
const link = /https?:\/\/\S+/gu;

/** Say whether a reply asks something. The `?` of a web address asks nothing. */
export const hasQuestion = (reply: string): boolean => asksBack.test(reply.replace(link, ' '));

const notThere =
  /\b(?:(?:could|can|did|do|does|was|were|is)(?:n't| not)|cannot|not able to|unable to|failed to|never)\b.{0,30}?\b(?:find|found|locate|exist|see|match|show|appear|there|in (?:our|the|my) (?:system|records?|files?))\b|\bnot (?:found|exist|there|in (?:our|the) (?:system|records?))\b|\bno (?:such|record|trace|sign|match\w*|results?|entry|entries|longer exists)\b|\b(?:there (?:is|are|was|were)|there's|i see|i (?:have|get)|(?:has|have|shows?|found|returned|finds)) (?:no|nothing|none)\b|\bnothing (?:under|with|for|came up|turned up|matches|matched)\b|\bdoes not exist|\bdoesn't exist|\bnonexistent\b|\bis missing\b|\bunknown (?:id|order|number)\b/i;
const notThereElsewhere =
  /no (?:existe|encontr\p{L}*|hay|aparece|figura)|n[aã]o (?:existe|encontr\p{L}*|h[aá])|introuvable|n'existe pas|n'ai (?:rien |pas )trouv|aucun\p{L}*|existiert nicht|nicht gefunden|kein\p{L}* .{0,30}(?:gefunden|vorhanden)|gibt es nicht|non (?:esiste|trov\p{L}*|ho trovato)|niet gevonden|bestaat niet|не (?:найден\p{L}*|существует|нашл\p{L}*|нашел)|нет так\p{L}*|不存在|找不到|没有找到|未找到|查不到|見つかりませ|存在しませ|찾을 수 없|없습니다|غير موجود|لم أجد|لا يوجد|नहीं मिला/iu;

/** Say whether a reply tells that what was named is not there. */
export const saysMissing = (reply: string): boolean =>
  statementsOf(reply).some((said) => notThere.test(said) || notThereElsewhere.test(said));

const pastAct = '(?:\\w{2,}ed|sent|done|paid|made|gone|shut|been|put|set|taken|sold|given|booked|on file|in place)';
const alreadyDone = new RegExp(`\\balready\\b.{0,40}?\\b${pastAct}\\b|\\b${pastAct}\\b.{0,40}?\\balready\\b`, 'i');
const alreadyElsewhere =
  /(?<!\p{L})(?:ya (?:se|ha|est[aá]|fue|hab[ií]a)|j[aá] (?:foi|est[aá]|tinha)|d[eé]j[aà]|bereits|schon|gi[aà]|reeds|al eerder|уже|вже)(?!\p{L})|已经|已經|已被|すでに|既に|이미|بالفعل|पहले ही/iu;

/** Say whether a reply tells that the thing had been done before. */
export const saysAlreadyDone = (reply: string): boolean =>
  statementsOf(reply).some((said) => {
    const hit = alreadyDone.exec(said);
    if (hit) return !isDenied(said.slice(Math.max(0, hit.index - 20), hit.index)) && !/\bnot\b|n't\b/i.test(hit[0]);
    return alreadyElsewhere.test(said);
  });

const declining =
  /\b(?:cannot|can not|can't|could not|couldn't|unable|not able|won't|will not|must not|may not|not (?:possible|allowed|permitted|eligible|authori[sz]ed|available)|isn't (?:possible|allowed|eligible|available)|ineligible|declin\w*|refus\w*|against (?:the|our) (?:policy|rules)|unfortunately|no longer|i'm afraid|too late)\b|(?<!\p{L})(?:no (?:puedo|podemos|es posible)|n[aã]o (?:posso|podemos|[eé] poss[ií]vel)|ne (?:peux|pouvons) pas|impossible|kann .{0,40}nicht|nicht m[oö]glich|leider|non (?:posso|[eè] possibile)|не могу|невозможно|нельзя)(?!\p{L})|无法|不能|できませ|할 수 없|لا يمكن/iu;
const announcing =
  /\b(?:i'll|i will|we'll|we will|let me|i'm going to|i am going to|i am now|i'm now|proceeding|working on it)\b(?!\s+(?:not|never|be unable|know)\b)(?!\s+leave\b)/i;

/** Say whether a reply declines, and does not say in the same breath what it will do instead. */
export function declines(reply: string): boolean {
  const plain = plainQuotes(reply);
  return declining.test(plain) && !announcing.test(plain);
}
