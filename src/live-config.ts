/** Keeps a runner's hooks as its files say, when asked or as they change. Running fires finish with what they began with. */
import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { LoadedConfig } from './config/loaded.js';
import type { Disposer } from './hook-runner.js';

export interface LiveConfigOptions {
  /** Loads again by itself when one of the files changes, appears or goes. Default: only `reload()` does. */
  readonly watch?: boolean | undefined;
  /** Told after every reload that the watch started, with what was loaded. */
  readonly onReload?: ((config: LoadedConfig) => void) | undefined;
  /** Told when loading failed; the hooks stay as they were. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

export interface LiveConfig {
  readonly config: LoadedConfig;
  /** Loads again and puts the new hooks in the place of the old ones, all at once. Rejects if loading does. */
  reload(): Promise<LoadedConfig>;
  /** Takes the hooks out and stops watching. */
  close(): void;
}

/** Files are often written in several steps; this long after the last one they are read. */
const SETTLE_MS = 100;

export async function attachConfig(
  runner: { use(config: LoadedConfig): Disposer },
  load: () => Promise<LoadedConfig>,
  options: LiveConfigOptions = {},
): Promise<LiveConfig> {
  let config = await load();
  let dispose = runner.use(config);
  let watchers: FSWatcher[] = [];
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const reload = async (): Promise<LoadedConfig> => {
    const next = await load();
    if (closed) return next;
    const taken = runner.use(next);
    dispose();
    dispose = taken;
    config = next;
    return next;
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => reload().then(options.onReload, options.onError), SETTLE_MS);
  };
  if (options.watch === true) watchers = watchFiles(config.files, soon);
  return {
    get config() {
      return config;
    },
    reload,
    close: () => {
      closed = true;
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
      dispose();
    },
  };
}

/** Watches the directories, since a file that is replaced, or not there yet, cannot be watched itself. */
function watchFiles(files: readonly string[], onChange: () => void): FSWatcher[] {
  const names = new Map<string, Set<string>>();
  for (const file of files) {
    const known = names.get(dirname(file)) ?? new Set();
    names.set(dirname(file), known.add(basename(file)));
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
