/**
 * The server: `tracemill serve`. `createApp` (app.ts) is the whole of it without a socket; `guard.ts` says who gets in;
 * `live-board.ts` gathers what a page shows, and `live-events.ts` has the shape of what `GET /v1/events` tells. Each part
 * (`page/`, judge, runs, monitor) is a Hono app of its own routes that `createApp` takes in `parts`.
 */
export { createApp } from './app.ts';
export { createLiveBoard, type LiveBoard } from './live-board.ts';
export { type OpenServer, openServer, type ServerSettings } from './open-server.ts';
