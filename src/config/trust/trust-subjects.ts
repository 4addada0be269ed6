/** What a loaded configuration asks people to approve. */
import { isOfWorkspace, type LoadedConfig, type LoadedHook, withoutStandIns } from '../loaded.js';
import type { TrustSubject } from './subject.js';

/** The hooks of a configuration that need approval, in the form a trust store takes. Never throws. */
export function trustSubjects({
  groups,
  workspace = '',
  unimported = [],
}: Pick<LoadedConfig, 'groups' | 'workspace' | 'unimported'>): TrustSubject[] {
  const written = withoutStandIns(groups)
    .filter(({ source }) => isOfWorkspace(source))
    .flatMap(({ event, options, hooks, badMatcher }) => {
      const matcher = badMatcher === undefined ? options.matcher : JSON.stringify(badMatcher);
      const { timeout, sequential, parallel, protected: kept, last, onFailure } = options;
      const dialect = typeof options.dialect === 'string' ? options.dialect : options.dialect?.name;
      // What a hook inherits from its group affects it as much as its own fields.
      const group = { timeout, sequential, parallel, dialect, protected: kept, last, onFailure };
      const groupOf = ({ within }: LoadedHook): object =>
        within === undefined ? group : { ...group, within };
      return hooks.map((hook) => ({
        event,
        matcher,
        // These come last, so that the entry cannot override them.
        handler: {
          ...hook.written,
          group: groupOf(hook),
          ...(hook.settingsEnv && { settingsEnv: hook.settingsEnv }),
        },
        workspace,
        files: hook.files,
        variables: variablesOf(hook),
        source: hook.source.file,
      }));
    });
  return [...written, ...unimported];
}

/** As the loader has made the command, so that a path is resolved with what the shell will see. */
function variablesOf({ hook }: LoadedHook): Readonly<Record<string, string>> | undefined {
  return typeof hook === 'object' && hook.type === 'command' ? { ...hook.env } : undefined;
}
