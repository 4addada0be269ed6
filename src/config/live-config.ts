/**
 * Keeps a runner's hooks in sync with their files, on request or when they change. A fire in progress keeps the hooks
 * it started with.
 */
import { existsSync, type FSWatcher, statSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type OptionNames, refuseUnknownOptions } from '../base/text/known-options.js';
import type { Layer, LoadedConfig } from './loaded.js';
import { lostProtection, type OnLostProtection } from './lost-protection.js';
import { keepApproved, keepGuards } from './trust/keep-approved.js';
import type { Disposer } from './types.js';

/** Options of `attachConfig`. */
export interface LiveConfigOptions {
  /** Reloads automatically when one of the files changes, appears or disappears. Default: only `reload()` does. */
  readonly watch?: boolean | undefined;
  /** Called after every reload triggered by the watcher, with the loaded configuration. */
  readonly onReload?: ((config: LoadedConfig) => void) | undefined;
  /** Called when loading fails; the hooks stay unchanged. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /**
   * Approved hooks of the workspace stay in force even if their files change: an agent cannot remove its guards by
   * editing those files. Default: true.
   */
  readonly keepApproved?: boolean | undefined;
  /**
   * Hooks of the user that can refuse or rewrite stay in force too, as they were, even if their files remove or change them.
   * Default: false.
   */
  readonly keepGuards?: boolean | undefined;
  /** As for `runner.use`, when the configuration is loaded first. Later a file that cannot be read removes no hook. */
  readonly onLostProtection?: OnLostProtection | undefined;
  /**
   * Called before changed files are loaded again; false keeps what is in force. It is asked again, with all files that
   * differ from what is in force, after the next change. A call that fails keeps it too, and is passed to `onError`.
   */
  readonly mayReload?: ((changes: readonly ChangedFile[]) => boolean | Promise<boolean>) | undefined;
}

/** A file of a configuration that has changed since it was loaded. */
export interface ChangedFile {
  readonly file: string;
  /** Whose settings it has; `skills` is the file of an agent, a skill or a command. Absent for any other file. */
  readonly layer?: Layer | 'skills';
}

const OPTIONS: OptionNames<LiveConfigOptions> = {
  watch: true,
  onReload: true,
  onError: true,
  keepApproved: true,
  keepGuards: true,
  onLostProtection: true,
  mayReload: true,
};

/** A configuration in use. */
export interface LiveConfig {
  /** The configuration that was loaded last. */
  readonly config: LoadedConfig;
  /** Loads the configuration again and replaces all hooks at once; see `keepApproved`. Rejects if loading does. */
  reload(): Promise<LoadedConfig>;
  /** Removes the hooks and stops watching. Never throws; the result of a load in progress is dropped. */
  close(): void;
}

/** Files are often written in several steps; they are read this long after the last change. */
const SETTLE_MS = 100;

/**
 * Loads a configuration and registers its hooks on a runner until `close`. Rejects if the first load fails, if the
 * runner is disposed, and for an unknown option. Later failures are passed to `onError`, and the hooks stay unchanged.
 */
export async function attachConfig(
  runner: { use(config: LoadedConfig, options?: { onLostProtection?: OnLostProtection }): Disposer },
  load: () => Promise<LoadedConfig>,
  options: LiveConfigOptions = {},
): Promise<LiveConfig> {
  refuseUnknownOptions('attachConfig', options, OPTIONS);
  let config = await load();
  const { onLostProtection = 'refuse' } = options;
  let dispose = await useFirst(runner, config, onLostProtection);
  let watchers: FSWatcher[] = [];
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let latest = 0;
  let inForce = statesOf(config.files);

  const reload = async (): Promise<LoadedConfig> => {
    latest += 1;
    const current = latest;
    const before = statesOf(config.files);
    const loaded = await load();
    // A newer reload has started, or the configuration was closed: drop this result.
    if (closed || current !== latest) {
      await loaded.dispose?.();
      return loaded;
    }
    // What cannot be read is not known to be removed, so it stays in force.
    const broken = lostProtection(loaded.diagnostics).length > 0;
    const approved = options.keepApproved === false && !broken ? loaded : keepApproved(config, loaded);
    const next = options.keepGuards === true || broken ? keepGuards(config, approved) : approved;
    const disposeNext = runner.use(next, { onLostProtection: 'warn' });
    dispose();
    dispose = disposeNext;
    config = next;
    // What was written while it was loaded is a further change.
    inForce = new Map([...statesOf(config.files), ...before]);
    rewatch();
    return next;
  };
  const reloadIfAllowed = async (): Promise<LoadedConfig | undefined> => {
    const changes = changedSince(inForce, config);
    if (changes.length > 0 && options.mayReload !== undefined && !(await options.mayReload(changes)))
      return undefined;
    return closed ? undefined : reload();
  };
  const scheduleReload = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      reloadIfAllowed()
        .then((loaded) => loaded && options.onReload?.(loaded))
        .catch((error: unknown) => options.onError?.(error))
        .catch(() => {});
    }, SETTLE_MS);
    timer.unref();
  };
  const rewatch = (): void => {
    for (const watcher of watchers) watcher.close();
    watchers = options.watch === true && !closed ? watchFiles(config.files, scheduleReload) : [];
  };
  rewatch();
  return {
    get config() {
      return config;
    },
    reload,
    close: () => {
      closed = true;
      clearTimeout(timer);
      rewatch();
      dispose();
    },
  };
}

/** A configuration that is refused keeps nothing running. */
async function useFirst(
  runner: Parameters<typeof attachConfig>[0],
  config: LoadedConfig,
  onLostProtection: OnLostProtection,
): Promise<Disposer> {
  try {
    return runner.use(config, { onLostProtection });
  } catch (error) {
    await config.dispose?.();
    throw error;
  }
}

/** Which version of a file there is; empty if there is none. */
function statesOf(files: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    files.map((file) => {
      const found = statSync(file, { throwIfNoEntry: false });
      return [file, found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeMs}`];
    }),
  );
}

function changedSince(
  inForce: ReadonlyMap<string, string>,
  { files, layers }: LoadedConfig,
): readonly ChangedFile[] {
  return [...statesOf(files)].flatMap(([file, state]) => {
    if (inForce.get(file) === state) return [];
    const layer = layers?.get(file);
    return [{ file, ...(layer !== undefined && { layer }) }];
  });
}

/** Watches directories, because a file that is replaced or does not exist yet cannot be watched itself. */
function watchFiles(files: readonly string[], onChange: () => void): FSWatcher[] {
  const names = new Map<string, Set<string>>();
  for (const file of files) {
    const [directory, name] = watchable(file);
    names.set(directory, (names.get(directory) ?? new Set()).add(name));
  }
  return [...names].flatMap(([directory, known]) => {
    try {
      const watcher = watch(directory, { persistent: false }, (_, name) => {
        if (name === null || known.has(name)) onChange();
      });
      watcher.on('error', () => watcher.close());
      return [watcher];
    } catch {
      return [];
    }
  });
}

/** The nearest existing directory, and the entry to watch for in it. */
function watchable(file: string): readonly [directory: string, name: string] {
  const directory = dirname(file);
  return existsSync(directory) || directory === file ? [directory, basename(file)] : watchable(directory);
}
