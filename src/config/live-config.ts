/** Keeps a runner's hooks as its files say, when asked or as they change. Running fires finish with what they began with. */
import { existsSync, type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type OptionNames, refuseUnknownOptions } from '../base/text/known-options.js';
import type { LoadedConfig } from './loaded.js';
import { keepApproved } from './trust/index.js';
import type { Disposer } from './types.js';

/** Whether files are watched, and who is told. */
export interface LiveConfigOptions {
  /** Loads again by itself when one of the files changes, appears or goes. Default: only `reload()` does. */
  readonly watch?: boolean | undefined;
  /** Told after every reload that the watch started, with what was loaded. */
  readonly onReload?: ((config: LoadedConfig) => void) | undefined;
  /** Told when loading failed; the hooks stay as they were. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /**
   * Hooks of the workspace that somebody approved stay in force although their files no longer have them so: an agent
   * that edits those files does not get rid of its guards. Default: true.
   */
  readonly keepApproved?: boolean | undefined;
}

const OPTIONS: OptionNames<LiveConfigOptions> = {
  watch: true,
  onReload: true,
  onError: true,
  keepApproved: true,
};

/** A configuration that is in use. */
export interface LiveConfig {
  /** As it was loaded last. */
  readonly config: LoadedConfig;
  /**
   * Loads again and puts the new hooks in the place of the old ones, all at once; see `keepApproved`. Rejects if loading
   * does.
   */
  reload(): Promise<LoadedConfig>;
  /** Takes the hooks out and stops watching. Never throws; what is being loaded comes too late and is dropped. */
  close(): void;
}

/** Files are often written in several steps; this long after the last one they are read. */
const SETTLE_MS = 100;

/**
 * Loads a configuration and puts its hooks on a runner, until `close`. Rejects if the first load does, once the runner is
 * disposed, and for an option that does not exist; later failures go to `onError`, and the hooks stay as they were.
 */
export async function attachConfig(
  runner: { use(config: LoadedConfig): Disposer },
  load: () => Promise<LoadedConfig>,
  options: LiveConfigOptions = {},
): Promise<LiveConfig> {
  refuseUnknownOptions('attachConfig', options, OPTIONS);
  let config = await load();
  let dispose = runner.use(config);
  let watchers: FSWatcher[] = [];
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let latest = 0;

  const reload = async (): Promise<LoadedConfig> => {
    latest += 1;
    const mine = latest;
    const loaded = await load();
    // A reload that was overtaken, or came too late, changes nothing.
    if (closed || mine !== latest) {
      await loaded.dispose?.();
      return loaded;
    }
    const next = options.keepApproved === false ? loaded : keepApproved(config, loaded);
    const taken = runner.use(next);
    dispose();
    dispose = taken;
    config = next;
    rewatch();
    return next;
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      reload()
        .then(options.onReload)
        .catch((error: unknown) => options.onError?.(error))
        .catch(() => {});
    }, SETTLE_MS);
    timer.unref();
  };
  const rewatch = (): void => {
    for (const watcher of watchers) watcher.close();
    watchers = options.watch === true && !closed ? watchFiles(config.files, soon) : [];
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

/** Watches the directories, since a file that is replaced, or not there yet, cannot be watched itself. */
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

/** The nearest directory that is there, and what would have to appear in it. */
function watchable(file: string): readonly [directory: string, name: string] {
  const directory = dirname(file);
  return existsSync(directory) || directory === file ? [directory, basename(file)] : watchable(directory);
}
