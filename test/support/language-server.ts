/** The compiler's language server, asked as an editor does: hovers, completions and errors of a document that is on no disk. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const TSC = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
/** A folder whose `tsconfig.json` is that of the project, so that `hookline` is the built package. */
const FOLDER = new URL('../package/consumer/', import.meta.url);

interface Position {
  readonly line: number;
  readonly character: number;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly items?: readonly unknown[] };
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

export interface Problem {
  /** From 0. */
  readonly line: number;
  readonly message: string;
}

export class LanguageServer {
  readonly #child = spawn(process.execPath, [TSC, '--lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
  readonly #waiting = new Map<number, (message: Message) => void>();
  #received = Buffer.alloc(0);
  #asked = 0;

  constructor() {
    this.#child.stdout.on('data', (data: Buffer) => {
      this.#received = Buffer.concat([this.#received, data]);
      for (let message = this.#next(); message !== undefined; message = this.#next()) this.#take(message);
    });
  }

  async start(): Promise<void> {
    const capabilities = { textDocument: { hover: { contentFormat: ['markdown'] } } };
    await this.#ask('initialize', { processId: process.pid, rootUri: FOLDER.href, capabilities });
    this.#send({ method: 'initialized', params: {} });
  }

  open(name: string, text: string): Document {
    const uri = new URL(name, FOLDER).href;
    const textDocument = { uri, languageId: 'typescript', version: 1, text };
    this.#send({ method: 'textDocument/didOpen', params: { textDocument } });
    return new Document(text, (method, more) => this.#ask(method, { textDocument: { uri }, ...more }));
  }

  resolve(item: object): Promise<unknown> {
    return this.#ask('completionItem/resolve', item);
  }

  close(): void {
    this.#child.kill();
  }

  #next(): Message | undefined {
    const head = this.#received.indexOf('\r\n\r\n');
    if (head < 0) return undefined;
    const length = Number(/Content-Length: (\d+)/i.exec(this.#received.toString('utf8', 0, head))?.[1]);
    const end = head + 4 + length;
    if (this.#received.length < end) return undefined;
    const text = this.#received.toString('utf8', head + 4, end);
    this.#received = this.#received.subarray(end);
    return JSON.parse(text) as Message;
  }

  #take(message: Message): void {
    if (message.method === undefined) this.#waiting.get(message.id ?? 0)?.(message);
    // It asks for settings, and says what it would watch.
    else if (message.id !== undefined)
      this.#send({ id: message.id, result: message.params?.items?.map(() => null) ?? null });
  }

  #ask(method: string, params: object): Promise<unknown> {
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ result, error }) => {
        this.#waiting.delete(id);
        if (error === undefined) resolve(result);
        else reject(new Error(`${method}: ${error.message}`));
      });
      this.#send({ id, method, params });
    });
  }

  #send(message: object): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.#child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }
}

export class Document {
  readonly #text: string;
  readonly #ask: (method: string, more: object) => Promise<unknown>;

  constructor(text: string, ask: (method: string, more: object) => Promise<unknown>) {
    this.#text = text;
    this.#ask = ask;
  }

  /** The doc text that an editor shows at an offset, below the type; empty: there is none. */
  async docAt(offset: number): Promise<string> {
    const answer = (await this.#ask('textDocument/hover', { position: this.#position(offset) })) as {
      contents: { value: string };
    } | null;
    if (answer === null) throw new Error(`Nothing is known about ${this.#text.slice(offset, offset + 30)}`);
    return answer.contents.value.replace(/^```.*?^```/ms, '').trim();
  }

  /** What an editor offers at an offset. */
  async completionsAt(offset: number): Promise<readonly { label: string; filterText?: string }[]> {
    const answer = await this.#ask('textDocument/completion', { position: this.#position(offset) });
    return (answer as { items: { label: string; filterText?: string }[] } | null)?.items ?? [];
  }

  async problems(): Promise<readonly Problem[]> {
    const answer = (await this.#ask('textDocument/diagnostic', {})) as {
      items: { severity: number; message: string; range: { start: Position } }[];
    };
    return answer.items
      .filter(({ severity }) => severity === 1)
      .map(({ message, range }) => ({ line: range.start.line, message }));
  }

  #position(offset: number): Position {
    const lines = this.#text.slice(0, offset).split('\n');
    return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
  }
}
