import { visible } from '../../text/visible.ts';

const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Write text as HTML shows it, inside an element or an attribute. */
export const escapeHtml = (text: string): string => visible(text).replace(/[&<>"']/g, (mark) => marks[mark] ?? mark);
