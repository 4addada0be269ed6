/** Writes the transcript of a session or subagent: one line of JSON per message, in the format that hooks expect. */
import { messageOf } from '../../base/errors.js';
import { appendLines, createFile, type FileEnd } from './append-file.js';
import { type ComposedLine, composeLines, linkLine } from './compose-lines.js';
import { gitBranchOf } from './git-branch.js';
import { MAX_LINE, type NewLine } from './line.js';

export interface TranscriptOptions {
  readonly path: string;
  readonly sessionId: string;
  /** Set for the transcript of a subagent; its lines are then marked as a sidechain. */
  readonly agentId?: string | undefined;
  /** The version of this package. */
  readonly version: string;
  /** Called for every line, because an agent may change its directory. */
  readonly cwd: () => string;
  /** The line to continue from when a session is resumed. */
  readonly parentUuid?: string | undefined;
  /** Called when a line cannot be written, once for each kind of reason. */
  readonly onProblem?: ((problem: string) => void) | undefined;
}

/** Contract: nothing here throws or rejects. A transcript that cannot be written does not stop the agent. */
export interface Transcript {
  readonly path: string;
  /** Lines are written in call order, awaited or not. You may change the entry after the call returns. */
  append(entry: NewLine): Promise<void>;
  /** Resolves when everything appended so far has been written or given up. */
  flush(): Promise<void>;
  /** Same as `flush`; nothing is written afterwards. */
  close(): Promise<void>;
}

/** Creates the file before it resolves, so that hooks find it. Reports a problem if the file cannot be created. */
export async function openTranscript(options: TranscriptOptions): Promise<Transcript> {
  const transcript = new FileTranscript(options);
  await transcript.create();
  return transcript;
}

class FileTranscript implements Transcript {
  readonly path: string;
  readonly #options: TranscriptOptions;
  readonly #reported = new Set<string>();
  #queue: Promise<void> = Promise.resolve();
  #parent: string | undefined;
  #end: FileEnd | undefined;
  #cwd = '';
  #isClosed = false;

  constructor(options: TranscriptOptions) {
    this.path = options.path;
    this.#options = options;
    this.#parent = options.parentUuid;
  }

  async create(): Promise<void> {
    await createFile(this.path).catch((error: unknown) => this.#reportFailure(error));
  }

  append(entry: NewLine): Promise<void> {
    if (this.#isClosed) {
      this.#report('closed', 'it has been closed');
      return this.#queue;
    }
    const lines = this.#compose(entry);
    if (lines !== undefined && lines.length > 0) this.#queue = this.#queue.then(() => this.#write(lines));
    return this.#queue;
  }

  flush(): Promise<void> {
    return this.#queue;
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.#queue;
  }

  /**
   * Composes the lines immediately, so that later changes to the entry, the time and the directory have no effect.
   */
  #compose(entry: NewLine): readonly ComposedLine[] | undefined {
    const { sessionId, agentId, version } = this.#options;
    const cwd = this.#currentDirectory();
    const frame = { sessionId, agentId, version, cwd, gitBranch: gitBranchOf(cwd), at: new Date() };
    try {
      const lines = composeLines(entry, frame);
      if (lines.every(isShortEnough)) return lines;
      // The response that hooks saw can be dropped; the conversation cannot.
      const spare =
        'toolUseResults' in entry ? composeLines({ ...entry, toolUseResults: undefined }, frame) : [];
      if (spare.length > 0 && spare.every(isShortEnough)) return spare;
      this.#report('too long', `a line is longer than ${MAX_LINE} bytes`);
    } catch (error) {
      this.#report('not JSON', `a line of type ${entry.type} cannot be made: ${messageOf(error)}`);
    }
    return undefined;
  }

  /** If the working directory was removed, the line is still written. */
  #currentDirectory(): string {
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
      this.#end = await appendLines(this.path, text, this.#end);
      this.#parent = parent;
    } catch (error) {
      this.#reportFailure(error);
    }
  }

  #reportFailure(error: unknown): void {
    const { code } = error as { code?: unknown };
    this.#report(typeof code === 'string' ? code : 'other', messageOf(error));
  }

  #report(kind: string, reason: string): void {
    if (this.#reported.has(kind)) return;
    this.#reported.add(kind);
    const problem = `The transcript ${this.path} cannot be written: ${reason}. The session continues, but what is missing in the file will be missing when it is resumed.`;
    try {
      this.#options.onProblem?.(problem);
    } catch {
      // The listener failed, so the problem counts as not reported.
      this.#reported.delete(kind);
    }
  }
}

function isShortEnough({ json }: ComposedLine): boolean {
  // Reserves space for the parent and the line end.
  return Buffer.byteLength(json) <= MAX_LINE - 1024;
}
