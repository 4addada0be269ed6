/** Registers the hooks of a run, and loads settings again that change during it, unless a ConfigChange hook objects. */
import type { AgentLoop } from '../../agent/loop/agent-loop.js';
import { attachConfig, type LiveConfig } from '../../config/live-config.js';
import type { Diagnostic, LoadedConfig } from '../../config/loaded.js';
import type { Runner } from '../../runner/runner.js';
import type { LoadedHooks } from '../hooks/load.js';
import { shortPlace } from '../hooks/place.js';
import { type Report, reportChanges, reportDiagnostics } from './skipped-hooks.js';

export interface LiveHooks {
  /** From now on, changes of settings are noticed. */
  follow(loop: AgentLoop): void;
  close(): void;
}

export async function useHooks(
  { configs, reloads, cwd }: LoadedHooks,
  runner: Runner,
  verbose: boolean,
  note: Report,
): Promise<LiveHooks> {
  let loop: AgentLoop | undefined;
  const live: LiveConfig[] = [];
  // Whether to start without them was decided before.
  const use = (config: LoadedConfig) =>
    runner.use(reportChanges(config, cwd, note), { onLostProtection: 'warn' });
  for (const config of configs) {
    const again = reloads.get(config);
    if (again === undefined) {
      use(config);
      continue;
    }
    let isFirst = true;
    const load = async (): Promise<LoadedConfig> => {
      if (!isFirst) return again();
      isFirst = false;
      return config;
    };
    live.push(
      await attachConfig({ use }, load, {
        watch: true,
        keepGuards: true,
        mayReload: async (changes) => loop?.settingsChanged(changes) ?? false,
        onReload: ({ diagnostics }) => {
          note(`The settings have changed and were read again.${keptText(diagnostics, cwd)}`);
          reportDiagnostics(diagnostics, verbose, cwd, note);
        },
        onError: (error) =>
          note(`The changed settings cannot be read, so the old ones count: ${String(error)}`),
      }),
    );
  }
  return {
    follow: (followed) => {
      loop = followed;
    },
    close: () => {
      for (const each of live) each.close();
    },
  };
}

/** A hook that stays in force must not look removed. */
function keptText(diagnostics: readonly Diagnostic[], cwd: string): string {
  const kept = diagnostics.filter(({ code }) => code === 'kept').map(({ source }) => shortPlace(source, cwd));
  if (kept.length === 0) return '';
  const places = [...new Set(kept)].map((place) => `\n  ${place}`).join('');
  return ` These hooks stay in force as they were until the run ends, although the settings have changed:${places}`;
}
