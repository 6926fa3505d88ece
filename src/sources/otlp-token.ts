import { createHash, timingSafeEqual } from 'node:crypto';

/** Make a check of an `Authorization` header. It takes the same time whatever is wrong with it. */
export function bearerCheck(token: string): (header: string | null) => boolean {
  const wanted = digest(token);
  return (header) => {
    const given = /^bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? '';
    return timingSafeEqual(digest(given), wanted);
  };
}

const digest = (text: string) => createHash('sha256').update(text).digest();
