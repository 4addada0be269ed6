/** What the tests of http, prompt and mcp_tool hooks share: one run made by hand, and loopback servers. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { claudeCode } from '../../src/dialects/claude-code/index.js';
import type { AnyEvent } from '../../src/events/types.js';
import { Cancellation } from '../../src/handlers/cancellation.js';
import type { Completion } from '../../src/handlers/completion.js';
import type { HookRun } from '../../src/handlers/hook.js';
import { httpHook } from '../../src/handlers/http/http.js';
import type { HttpOptions } from '../../src/handlers/http/options.js';
import {
  type HookModel,
  type HookModelRequest,
  type PromptOptions,
  promptHook,
} from '../../src/handlers/prompt.js';
import type { Verdict } from '../../src/handlers/verdict.js';

export interface MadeRun extends HookRun {
  readonly cancellation: Cancellation;
}

/** The circumstances of a run, with what a test wants to be different. */
export function makeRun(
  input: Readonly<Record<string, unknown>> = {},
  changes: Partial<MadeRun> = {},
): MadeRun {
  const event: AnyEvent = changes.event ?? 'PreToolUse';
  const full = { session_id: 's', cwd: '/home/ada/app', hook_event_name: event, ...input };
  return {
    event,
    input: full,
    toolUseID: 'use-1',
    agentId: undefined,
    hookId: 'hook-1',
    name: 'a hook',
    timeoutMs: 10_000,
    cancellation: new Cancellation(),
    depth: 1,
    watched: false,
    wire: () => Buffer.from(`${JSON.stringify(full)}\n`),
    onProgress: () => {},
    ...changes,
  };
}

/** What Claude Code would make of a completion. */
export function interpret(event: AnyEvent, completion: Completion): Verdict {
  return claudeCode.interpret(event, completion, {});
}

export interface Loopback {
  readonly origin: string;
  /** Every request that came, with its body once it is there. */
  readonly requests: { readonly message: IncomingMessage; readonly body: Promise<string> }[];
  /** Resolves when every connection that was ever made is closed again. */
  allClosed(): Promise<void>;
  connections(): Promise<number>;
}

/** A web server on this machine for one test. The listener answers; requests are kept. */
export async function serve(answer: RequestListener): Promise<Loopback> {
  const requests: Loopback['requests'] = [];
  const server = createServer({ keepAliveTimeout: 60_000 }, (message, response) => {
    const body = bodyOf(message);
    // Not every test waits for it, and not every request ends well.
    body.catch(() => {});
    requests.push({ message, body });
    answer(message, response);
  });
  return { ...(await listen(server)), requests };
}

/** A server that speaks bytes: for answers that no web server gives. */
export async function serveBytes(onSocket: (socket: Socket) => void): Promise<Loopback> {
  return { ...(await listen(createTcpServer(onSocket) as Server)), requests: [] };
}

async function listen(server: Server): Promise<Omit<Loopback, 'requests'>> {
  const closings: Promise<void>[] = [];
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    closings.push(new Promise((resolve) => socket.once('close', () => resolve())));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    allClosed: async () => {
      await Promise.all(closings);
    },
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
  };
}

async function bodyOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** A port on which nobody listens. */
export async function freePort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The sockets and timers that this process holds right now. */
export function heldResources(): readonly string[] {
  return process.getActiveResourcesInfo().filter((name) => /TCPSocketWrap|TLSWrap|Timeout/.test(name));
}

/** Runs an http hook against a server. */
export const ask = async (
  server: Pick<Loopback, 'origin'>,
  options: Partial<HttpOptions> = {},
  run = makeRun(),
): Promise<Completion> => httpHook({ url: `${server.origin}/hook`, ...options })(run);

/** A run that ended as a command does. */
export const exited = (exitCode: number, stdout: string, stderr: unknown = '') => ({
  kind: 'exited',
  exitCode,
  signal: undefined,
  stdout,
  stderr,
});

/** What comes of a good answer: text in it is no log. */
export const answered = (body: string) => ({ ...exited(0, body), answers: true });

/** A model that always says the same, and remembers what it was asked. */
export function says(answer: unknown): HookModel & { readonly requests: HookModelRequest[] } {
  const requests: HookModelRequest[] = [];
  return {
    requests,
    complete: async (request) => {
      requests.push(request);
      return answer as string;
    },
  };
}

/** Runs a prompt hook against a model. */
export const judge = async (
  model: HookModel,
  options: Partial<PromptOptions> = {},
  run: MadeRun = makeRun(),
): Promise<Completion> =>
  promptHook({ kind: 'prompt', prompt: 'Is it safe? $ARGUMENTS', ...options }, model)(run);
