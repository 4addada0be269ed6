/** Reads and validates the requests of a page. */
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';

const MAX_BODY = 64 * 1024;
const MAX_WORDS = 10_000;

export const messageBody = z.object({
  text: z
    .string()
    .refine((text) => text.trim() !== '', { error: 'it is empty' })
    .max(MAX_WORDS),
  /** The name of an agent; null for all agents. */
  to: z.string().min(1).max(256).nullable(),
});

export const answerBody = z.object({
  question: z.string().max(64),
  answer: z.enum(['yes', 'always', 'no']),
});

/** Only something that was fired before can be fired, so that a page cannot make up inputs. */
export const fireBody = z.object({ fire: z.string().max(64) });

/** A rejected request, with its HTTP status. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Rejects with a Refusal. */
export async function readBody<T>(request: IncomingMessage, schema: z.ZodType<T>): Promise<T> {
  // Another page can send forms without a preflight request, but not JSON.
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    throw new Refusal(415, 'Send JSON, with the content type application/json.');
  let size = 0;
  const pieces: Buffer[] = [];
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > MAX_BODY) throw new Refusal(413, `The request is larger than ${MAX_BODY} bytes.`);
    pieces.push(piece);
  }
  let value: unknown;
  try {
    value = JSON.parse(Buffer.concat(pieces).toString('utf8'));
  } catch {
    throw new Refusal(400, 'The request is not valid JSON.');
  }
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw new Refusal(400, `The request cannot be used: ${z.prettifyError(read.error)}`);
}
