import { z } from 'zod';
import { type JsonReader, refusalResponse } from './read-json.ts';

/** Read the body of a request as a schema says, and answer; what is wrong with the body is answered in its words, with 400. */
export async function answerJson<S extends z.ZodType>(
  request: Request,
  read: JsonReader,
  schema: S,
  answer: (body: z.output<S>) => Response | Promise<Response>,
): Promise<Response> {
  const body = await read(request);
  if ('error' in body) return refusalResponse(body);
  const parsed = schema.safeParse(body.value);
  if (parsed.success) return answer(parsed.data);
  return Response.json({ error: z.prettifyError(parsed.error).slice(0, 2000) }, { status: 400 });
}
