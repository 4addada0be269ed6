/** Writes the transcript of a session, or of a subagent: one line of JSON for each message, as hooks expect to find it. */
import { messageOf } from '../../base/errors.js';
import { appendLines, createFile } from './append-file.js';
import { type ComposedLine, composeLines, linkLine } from './compose-lines.js';
import { MAX_LINE, type NewLine } from './line.js';

export interface TranscriptOptions {
  readonly path: string;
  readonly sessionId: string;
  /** Given for the transcript of a subagent: its lines are then a sidechain. */
  readonly agentId?: string | undefined;
  /** The version of the program that writes. */
  readonly version: string;
  /** Asked for every line: an agent moves. */
  readonly cwd: () => string;
  /** The line to go on from, when a session is resumed. */
  readonly parentUuid?: string | undefined;
  /** Told what could not be written, each kind of reason once. */
  readonly onProblem?: ((problem: string) => void) | undefined;
}

/** Contract: nothing here rejects or throws. An agent does not stop because its transcript cannot be written. */
export interface Transcript {
  readonly path: string;
  /** Lines are written in the order of the calls, awaited or not; an entry may be changed once the call has returned. */
  append(entry: NewLine): Promise<void>;
  /** Settles when everything appended so far is in the file, or has been given up. */
  flush(): Promise<void>;
  /** As `flush`; nothing is written afterwards. */
  close(): Promise<void>;
}

/** The file is there when this settles, so that hooks find it; if it cannot be made, that is told. */
export async function openTranscript(options: TranscriptOptions): Promise<Transcript> {
  const transcript = new FileTranscript(options);
  await transcript.create();
  return transcript;
}

class FileTranscript implements Transcript {
  readonly path: string;
  readonly #options: TranscriptOptions;
  readonly #told = new Set<string>();
  #queue: Promise<void> = Promise.resolve();
  #parent: string | undefined;
  #cwd = '';
  #isClosed = false;

  constructor(options: TranscriptOptions) {
    this.path = options.path;
    this.#options = options;
    this.#parent = options.parentUuid;
  }

  async create(): Promise<void> {
    await createFile(this.path).catch((error: unknown) => this.#tellFailure(error));
  }

  append(entry: NewLine): Promise<void> {
    if (this.#isClosed) {
      this.#tell('closed', 'it has been closed');
      return this.#queue;
    }
    const lines = this.#compose(entry);
    if (lines !== undefined) this.#queue = this.#queue.then(() => this.#write(lines));
    return this.#queue;
  }

  flush(): Promise<void> {
    return this.#queue;
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.#queue;
  }

  /** Made at once, so that later changes of the entry, of the clock and of the directory do not matter. */
  #compose(entry: NewLine): readonly ComposedLine[] | undefined {
    const { sessionId, agentId, version } = this.#options;
    const frame = { sessionId, agentId, version, cwd: this.#whereNow(), at: new Date() };
    try {
      const lines = composeLines(entry, frame);
      if (lines.every(isShortEnough)) return lines;
      // What hooks were shown can do without; the conversation cannot.
      const spare =
        'toolUseResult' in entry ? composeLines({ ...entry, toolUseResult: undefined }, frame) : [];
      if (spare.length > 0 && spare.every(isShortEnough)) return spare;
      this.#tell('too long', `a line is longer than ${MAX_LINE} bytes`);
    } catch (error) {
      this.#tell('not JSON', `a line of type ${entry.type} cannot be made: ${messageOf(error)}`);
    }
    return undefined;
  }

  /** A working directory that has been removed must not cost a line. */
  #whereNow(): string {
    try {
      this.#cwd = this.#options.cwd();
    } catch {}
    return this.#cwd;
  }

  async #write(lines: readonly ComposedLine[]): Promise<void> {
    let parent = this.#parent;
    let text = '';
    for (const line of lines) {
      text += linkLine(line, parent);
      parent = line.uuid;
    }
    try {
      await appendLines(this.path, text);
      this.#parent = parent;
    } catch (error) {
      this.#tellFailure(error);
    }
  }

  #tellFailure(error: unknown): void {
    const { code } = error as { code?: unknown };
    this.#tell(typeof code === 'string' ? code : 'other', messageOf(error));
  }

  #tell(kind: string, reason: string): void {
    if (this.#told.has(kind)) return;
    this.#told.add(kind);
    const problem = `The transcript ${this.path} cannot be written: ${reason}. The session goes on; what is missing there will be missing when it is resumed.`;
    try {
      this.#options.onProblem?.(problem);
    } catch {
      // Who could not take it has not been told.
      this.#told.delete(kind);
    }
  }
}

function isShortEnough({ json }: ComposedLine): boolean {
  // The line's link and its end are short; a share is left for them.
  return Buffer.byteLength(json) <= MAX_LINE - 1024;
}
