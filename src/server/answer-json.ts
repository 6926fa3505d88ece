import { z } from 'zod';
import type { JsonReader } from './read-json.ts';

/** Read the body of a request as a schema says, and answer; what is wrong with the body is answered in its words, with 400. */
export function answerJson<S extends z.ZodType>(
  request: Request,
  read: JsonReader,
  schema: S,
  answer: (body: z.output<S>) => Response | Promise<Response>,
): Promise<Response> {
  return read(request, (body) => {
    const parsed = schema.safeParse(body);
    if (parsed.success) return answer(parsed.data);
    return Response.json({ error: z.prettifyError(parsed.error).slice(0, 2000) }, { status: 400 });
  });
}
