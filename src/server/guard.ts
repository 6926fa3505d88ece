import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP, isIPv4 } from 'node:net';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';

interface Guarded {
  readonly token: string;
  /** Names that the server answers to besides those of loopback; addresses are always answered to, names can be rebound. */
  readonly allowedHosts?: readonly string[];
  /** Paths that are answered without a token. */
  readonly open?: readonly string[];
}

/** Cookies are one for all ports of a host: servers at several ports would take them from each other. */
export function tokenCookie(host: string): string {
  const port = /:(\d+)$/.exec(host)?.[1];
  return port === undefined ? 'tracemill_token' : `tracemill_token_${port}`;
}

/**
 * Let only those in who know the token: as `Authorization: Bearer`, as `X-Api-Key`, as the cookie of the page, or once as
 * `?token=` of a page's address, which becomes the cookie and leaves the address. The Host must be an address or an allowed
 * name, so that no other site's name can be pointed here; an Origin must be our own, so that no other page can post here.
 *
 * All comparisons of the token take the same time whatever is wrong with it.
 */
export function guard({ token, allowedHosts = [], open = [] }: Guarded): MiddlewareHandler {
  const wanted = digest(token);
  const isToken = (given: string | undefined) => given !== undefined && timingSafeEqual(digest(given), wanted);
  return async (c, next) => {
    protect(c);
    const host = c.req.header('host') ?? new URL(c.req.url).host;
    if (!isOurHost(host, allowedHosts))
      return c.json({ error: 'this name is not answered to: start the server with --allow-host NAME' }, 421);
    if (isCrossSite(c, host)) return c.json({ error: 'another site asks' }, 403);
    const pass = async () => {
      await next();
      protect(c); // an answer that was made without the context has none of them
    };
    if (open.includes(c.req.path)) return pass();
    const given = c.req.query('token');
    if (given !== undefined && c.req.method === 'GET' && isToken(given)) return enter(c, token, host);
    const bearer = /^bearer +(\S+) *$/i.exec(c.req.header('authorization') ?? '')?.[1];
    if (![bearer, c.req.header('x-api-key'), getCookie(c, tokenCookie(host))].some(isToken)) {
      c.header('www-authenticate', 'Bearer');
      return c.json(
        {
          error:
            'a token is needed, and this is not it: it is TRACEMILL_TOKEN of the server, or in the address that it printed',
        },
        401,
      );
    }
    return pass();
  };
}

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";
const headers = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': policy,
};
function protect(c: Context): void {
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
}
const digest = (text: string) => createHash('sha256').update(text).digest();

/** Keep the token as a cookie that no script and no other site sees, and go to the same place without it. */
function enter(c: Context, token: string, host: string): Response {
  setCookie(c, tokenCookie(host), token, { httpOnly: true, sameSite: 'Strict', path: '/' });
  const url = new URL(c.req.url);
  url.searchParams.delete('token');
  const path = url.pathname.replace(/^\/+/, '/'); // two slashes would name another host
  return c.redirect(`${path}${url.search}`, 303);
}

function isOurHost(host: string, allowed: readonly string[]): boolean {
  const name = hostName(host);
  return name === 'localhost' || isIP(name) !== 0 || allowed.some((one) => hostName(one) === name);
}

/** The name of a Host header, without port and brackets, in lower case. */
function hostName(host: string): string {
  const name = host.toLowerCase().replace(/:\d+$/, '');
  return name.startsWith('[') ? name.slice(1, -1) : name;
}

function isSameOrigin(origin: string, host: string): boolean {
  try {
    return new URL(origin).host === host.toLowerCase();
  } catch {
    return false; // `null`, or no address
  }
}

/** Browsers say where a request comes from; links that a person follows may come from anywhere. */
function isCrossSite(c: Context, host: string): boolean {
  const origin = c.req.header('origin');
  if (origin !== undefined && !isSameOrigin(origin, host)) return true;
  const site = c.req.header('sec-fetch-site');
  const isForeign = site === 'cross-site' || site === 'same-site';
  return isForeign && !(c.req.method === 'GET' && c.req.header('sec-fetch-mode') === 'navigate');
}

/** Whether an address is reached by this machine alone. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
