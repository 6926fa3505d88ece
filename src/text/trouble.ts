import { plainQuotes } from './phrases.ts';

const trouble =
  /\b(?:fail\w*|errors?|could not|unable|did not|broke\w*|blocked|skip\w*|timed out|time-?out|denied|not found|rejected|cannot|would not|will not|was not|is not|unsuccessful\w*|declined|unavailable|unfortunately|went wrong|problems?|an issue|issues with|the issue|trouble|not able|not possible)\b|\b(?:could|did|ca|would|wo|was|is|does|do|have|has)n't\b/i;
/** `with no errors`, `without any problem`: the word denies the trouble. */
const noTrouble =
  /\b(?:no|0|zero|without(?:\s+any)?)\s+(?:\w+\s+)?(?:errors?|failures?|failed|issues?|problems?|trouble)\b|\bnot a problem\b/gi;
/** What else says that a tool did not answer as it should. */
const fault =
  /\b(?:nothing (?:came|has come) back|no (?:response|answer|record|result|match\w*|such|luck)|(?:has|have|had) not|not (?:respond\w*|go(?:ne|ing)? through|gone|working|allowed|permitted|authori[sz]ed|available|up to date|current)|does not|do not|down|offline|out of (?:date|service)|outdated|stale|garbled|unreadable|malformed|corrupt\w*|incomplete|interrupted|refused|permission|try(?:ing)? again|retry\w*|missing)\b/i;

/** Words for the same in other languages. Letters stand at their edges, as `\b` knows only English ones. */
const elsewhere = edged([
  // Spanish, Portuguese, Italian, French
  'no (?:he |se |me |nos )?(?:pude|pudo|podido|puedo|puede|fue posible|es posible|funcion\\p{L}*|encontr\\p{L}*|est[aá] disponible)',
  'err?or(?:e|es|i)?|fall(?:[oó]|a|ado|aron)|problemas?|lamentablemente|desafortunadamente|infelizmente|purtroppo|malheureusement',
  'n[aã]o (?:consegui\\p{L}*|foi poss[ií]vel|pude|encontr\\p{L}*|est[aá] dispon[ií]vel)|falhou|falha|indispon[ií]vel',
  'non (?:sono riuscit\\p{L}*|[eè] stato possibile|posso|ho potuto|[eè] disponibile)|fallit\\p{L}*',
  "n'(?:ai|a|avons) pas|ne (?:peux|peut|fonctionne|r[eé]pond) pas|[eé]chou[eé]\\p{L}*|impossible|indisponible|erreurs?|probl[eè]mes?|introuvable",
  // German, Dutch
  'konnte\\p{L}* .{0,40}nicht|kann .{0,40}nicht|leider|fehler|fehlgeschlagen|nicht (?:m[oö]glich|verf[uü]gbar|erreichbar|gefunden)|kon .{0,40}niet|niet (?:gelukt|mogelijk|gevonden|beschikbaar)|helaas|mislukt|storing',
  // Russian, Ukrainian
  'не (?:удалось|могу|может|смог\\p{L}*|получилось|найден\\p{L}*|отвеча\\p{L}*|доступ\\p{L}*|вдалося)|ошибк\\p{L}*|помилк\\p{L}*|сбой|к сожалению|недоступ\\p{L}*|на жаль',
]);
/** Scripts without spaces between words, or with endings that would need a grammar. */
const unspaced =
  /无法|無法|失败|失敗|错误|錯誤|超时|超時|未能|没有成功|沒有成功|找不到|不存在|出错|异常|抱歉|できませ|できない|エラー|タイムアウト|見つかりませ|申し訳|실패|오류|할 수 없|못했|찾을 수 없|죄송|فشل|خطأ|تعذر|لم أتمكن|لا يمكن|للأسف|विफल|त्रुटि|असफल|नहीं|ไม่สามารถ|ล้มเหลว|ข้อผิดพลาด/u;

/** Say whether a reply admits that something went wrong. Read in English. */
export const admitsTrouble = (text: string): boolean => trouble.test(plainQuotes(text).replace(noTrouble, ' '));

/**
 * Say whether a reply tells its user that a tool failed, was refused, found nothing or answered with old data. Read in
 * English and, by the usual words, in a dozen other languages.
 */
export function admitsFault(text: string): boolean {
  const plain = plainQuotes(text).replace(noTrouble, ' ');
  return trouble.test(plain) || fault.test(plain) || elsewhere.test(plain) || unspaced.test(plain);
}

/** Say whether a text is in a script whose words for a failure are known here. */
export const isReadable = (text: string): boolean =>
  /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Thai}]/u.test(
    text,
  );

function edged(words: readonly string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})(?![\\p{L}\\p{N}])`, 'iu');
}
