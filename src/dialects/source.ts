/** The port through which one ecosystem's files reach the command line: where they lie, how they are named, loaded and checked. */
import type { Diagnostic, LoadedConfig } from '../config/loaded.js';
import type { Trust } from '../config/trust/judge-trust.js';
import type { HandlerServices } from '../handlers/kinds.js';

/** An option of the command line that names files or folders; it may be given more than once. */
export interface SourceOption {
  readonly type: 'string';
  readonly multiple: true;
  readonly value: 'FILE' | 'DIR';
  readonly help: string;
}

export interface LoadRequest extends HandlerServices {
  readonly cwd: string;
  /** Absolute paths, by the name of the option that names them. */
  readonly named: Readonly<Record<string, readonly string[]>>;
  readonly trust: Trust;
  /** Where to look for the user's own files instead. */
  readonly configDir?: string | undefined;
}

export interface HookSource {
  readonly options: Readonly<Record<string, SourceOption>>;
  /** The files that it looks for in a folder. */
  readonly files: readonly string[];
  /** Rejects with a HookError for a file that is binding and broken. */
  load(request: LoadRequest): Promise<readonly LoadedConfig[]>;
  /** What is suspicious in the files of a configuration although they can be read. Never rejects. */
  check?(config: LoadedConfig): Promise<readonly Diagnostic[]>;
}
