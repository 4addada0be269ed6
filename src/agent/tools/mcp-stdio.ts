/**
 * A transport to an MCP server that is a program. The SDK's transport ends only the program itself; this one runs it
 * in a process group, so that wrappers like npx leave nothing behind, and ends it together with this process.
 */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type Ending, endGroup } from '../../process/end-group.js';
import type { LaunchedChild } from '../../process/launch.js';
import { loadExecaLaunch } from '../../process/launch-with-execa.js';
import { type LiveGroup, trackGroup } from '../../process/live-groups.js';
import type { McpSdk } from './mcp-sdk.js';

export interface StdioServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** How long a server may take to exit after its input was closed. */
const CLOSE_GRACE_MS = 400;
const KILL_GRACE_MS = 400;
const KEPT_STDERR = 2000;

type Message = Parameters<NonNullable<Transport['onmessage']>>[0];

export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: Message) => void;
  /** The end of what it wrote to stderr: often the only explanation. */
  stderr = '';
  readonly #sdk: McpSdk;
  readonly #server: StdioServer;
  readonly #buffer: InstanceType<McpSdk['ReadBuffer']>;
  #child: LaunchedChild | undefined;
  #group: LiveGroup | undefined;
  #ending: Ending | undefined;
  #exited = false;
  #closed = false;
  #gone: Promise<void> = Promise.resolve();
  #resolveGone: () => void = () => {};

  constructor(sdk: McpSdk, server: StdioServer) {
    this.#sdk = sdk;
    this.#server = server;
    this.#buffer = new sdk.ReadBuffer();
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  async start(): Promise<void> {
    const launch = await loadExecaLaunch();
    if (this.#closed) throw new Error('it was closed before it was started');
    const group = trackGroup();
    this.#group = group;
    const failed = new Promise<Error>((resolve) => {
      // The launcher requires these fields; a server has neither input nor timeout.
      this.#child = launch({ ...this.#server, stdin: '', timeoutMs: 1 }, resolve);
    });
    const child = this.#child;
    if (!child) {
      group.forget();
      throw await failed;
    }
    group.started(child.pid);
    this.#gone = new Promise((resolve) => {
      this.#resolveGone = resolve;
    });
    child.once('exit', () => this.#leaderExited(child));
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr = (this.stderr + text).slice(-KEPT_STDERR);
    });
    for (const stream of [child.stdin, child.stdout, child.stderr])
      stream.on('error', (error) => this.onerror?.(error));
  }

  async send(message: Message): Promise<void> {
    const child = this.#child;
    if (!child || this.#exited) throw new Error('the server is not running');
    await new Promise<void>((resolve, reject) => {
      child.stdin.write(this.#sdk.serializeMessage(message), (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Resolves when all processes of the group have ended. */
  async close(): Promise<void> {
    this.#closed = true;
    const child = this.#child;
    if (child && !this.#exited) {
      child.stdin.end();
      const impatient = setTimeout(() => this.#end(child), CLOSE_GRACE_MS);
      await this.#gone;
      clearTimeout(impatient);
    }
    await this.#gone;
  }

  #leaderExited(child: LaunchedChild): void {
    this.#exited = true;
    this.#end(child);
    this.#ending?.leaderExited();
  }

  #end(child: LaunchedChild): void {
    this.#ending ??= endGroup(child.pid, KILL_GRACE_MS, false, () => {
      this.#exited = true;
      this.#group?.forget();
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
      child.unref();
      this.#buffer.clear();
      this.onclose?.();
      this.#resolveGone();
    });
  }

  #read(chunk: Buffer): void {
    try {
      this.#buffer.append(chunk);
    } catch (error) {
      // The message never ended, so nothing after it can be parsed.
      this.onerror?.(error as Error);
      if (this.#child) this.#end(this.#child);
      return;
    }
    for (;;) {
      try {
        const message = this.#buffer.readMessage();
        if (message === null) return;
        this.onmessage?.(message);
      } catch (error) {
        this.onerror?.(error as Error);
      }
    }
  }
}
