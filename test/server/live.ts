import { createApp, createLiveBoard } from '../../src/server/index.ts';
import type { LiveEvent } from '../../src/server/live-events.ts';

export const token = 'the-token-of-a-test';
export const bearer = { authorization: `Bearer ${token}` };

/** A server without a socket and a clock that stands. */
export function liveScene(more: Partial<Parameters<typeof createApp>[0]> = {}) {
  let now = 1_000_000;
  const clock = () => now;
  const live = createLiveBoard({ clock });
  const app = createApp({ live, token, clock, ...more });
  const ask = (path: string, init: RequestInit = {}) =>
    app.request(`http://localhost${path}`, { ...init, headers: { ...bearer, ...init.headers } });
  return { app, live, ask, clock, pass: (ms: number) => (now += ms) };
}

/** Read events of a stream, one after the other. */
export function eventReader(response: Response) {
  const reader = response.body?.getReader();
  let text = '';
  return {
    async next(): Promise<{ readonly name: string; readonly data: LiveEvent }> {
      while (!text.includes('\n\n')) {
        const piece = await reader?.read();
        if (!piece || piece.done) throw new Error('the stream has ended');
        text += new TextDecoder().decode(piece.value);
      }
      const end = text.indexOf('\n\n');
      const [name, , data] = text.slice(0, end).split('\n');
      text = text.slice(end + 2);
      return { name: name?.slice('event: '.length) ?? '', data: JSON.parse(data?.slice('data: '.length) ?? '') };
    },
    end: () => reader?.cancel(),
  };
}
