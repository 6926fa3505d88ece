import { Hono } from 'hono';
import { pageFiles } from './page-files.ts';

/** Answer the page: its document at `/`, its modules, packages and styles at `/page/{name}`. Any other name is not found. */
export function pageRoutes(from?: URL): Hono {
  const routes = new Hono();
  const files = pageFiles(from);
  routes.get('/', (c) => answer(c.req.header('accept-encoding'), files.get('index.html')));
  routes.get('/page/:name{.+}', (c) => answer(c.req.header('accept-encoding'), files.get(c.req.param('name'))));
  return routes;
}

function answer(accepts: string | undefined, file: ReturnType<ReturnType<typeof pageFiles>['get']>): Response {
  if (!file) return Response.json({ error: 'nothing is here' }, { status: 404 });
  const isPacked = /\bgzip\b/.test(accepts ?? '');
  return new Response(isPacked ? file.packed : file.bytes, {
    headers: { 'content-type': file.type, vary: 'accept-encoding', ...(isPacked && { 'content-encoding': 'gzip' }) },
  });
}
