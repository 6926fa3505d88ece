import { Hono } from 'hono';

/** Answer the page of the server: who opens it sees where its figures are. */
export function pageRoutes(): Hono {
  const routes = new Hono();
  routes.get('/', (c) =>
    c.html(
      '<!doctype html><title>Tracemill</title><p>Figures: <a href="/v1/events">/v1/events</a>, <a href="/metrics">/metrics</a>',
    ),
  );
  return routes;
}
