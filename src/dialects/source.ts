/**
 * The interface between an ecosystem's files and the command line: where they are, and how they are named, loaded and
 * checked.
 */
import type { Diagnostic, LoadedConfig } from '../config/loaded.js';
import type { Trust } from '../config/trust/judge-trust.js';
import type { HandlerServices } from '../handlers/kinds.js';

/** An option of the command line that names files, folders or hosts; it may be repeated. */
export interface SourceOption {
  readonly type: 'string';
  readonly multiple: true;
  readonly value: 'FILE' | 'DIR' | 'HOST';
  readonly help: string;
}

export interface LoadRequest extends HandlerServices {
  readonly cwd: string;
  /** Absolute paths, or names of hosts, by the option that names them. */
  readonly named: Readonly<Record<string, readonly string[]>>;
  readonly trust: Trust;
  /** An alternative directory for the user's own files. */
  readonly configDir?: string | undefined;
}

export interface HookSource {
  readonly options: Readonly<Record<string, SourceOption>>;
  /** The files that it looks for in a folder. */
  readonly files: readonly string[];
  /** Rejects with a HookError if a mandatory file is broken. */
  load(request: LoadRequest): Promise<readonly LoadedConfig[]>;
  /** Whether its files may be loaded again during a session. Default: false. */
  readonly isLive?: boolean;
  /** Reports what is readable but suspicious in the files of a configuration. Never rejects. */
  check?(config: LoadedConfig): Promise<readonly Diagnostic[]>;
}
