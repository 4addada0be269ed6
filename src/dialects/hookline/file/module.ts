/**
 * Loads a configuration module: imported only when approved, and read so that a mistake disables only the group it is
 * in.
 */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf, show, toError } from '../../../base/errors.js';
import { importModule } from '../../../base/run-time-modules.js';
import {
  type Diagnostic,
  type LoadedGroup,
  type LoadedHook,
  losesProtection,
  type Source,
} from '../../../config/loaded.js';
import { type Registration, readConfig } from '../../../config/read.js';
import { judgeOne, type Trust } from '../../../config/trust/judge-trust.js';
import type { TrustSubject } from '../../../config/trust/subject.js';
import { unknownEventProblem } from '../../../config/unknown-event.js';
import { isEvent, registerEvents } from '../../../events/registry.js';
import type { EventTable } from '../../../events/types.js';
import type { Hook } from '../../../handlers/types.js';

/** What loading a module depends on, and where problems are reported. */
export interface ModuleReading {
  readonly workspace: string;
  readonly trust: Trust | undefined;
  readonly diagnostics: Diagnostic[];
  readonly unimported: TrustSubject[];
  /** Fingerprints of workspace modules that are there as they were approved. */
  readonly imported: Set<string>;
}

const EXPECTED = 'write export default { PreToolUse: [{ hooks: [...] }] }';

/** Importing a module runs it, so a workspace module is only described until it is approved. */
export async function loadModule(source: Source, reading: ModuleReading): Promise<LoadedGroup[]> {
  const approved = await approvalOf(source, reading);
  if (approved === undefined) return [];
  const { file } = source;
  let exported: { readonly default?: unknown };
  try {
    // A changed file is a new module: what was imported before stays unchanged.
    const { mtimeMs } = await stat(file);
    exported = (await importModule(`${pathToFileURL(file).href}?${mtimeMs}`)) as typeof exported;
  } catch (error) {
    const what = messageOf(error).replace(/\.$/, '');
    const message = `The module cannot be imported: ${what}. Nothing in it counts until it is repaired.`;
    const where = { ...source, ...placeIn(error, file) };
    const problem = { severity: 'error', code: 'module_failed', message, source: where } as const;
    reading.diagnostics.push(losesProtection(problem));
    return [];
  }
  return readRegistrations(exported, source, reading.diagnostics).map(({ event, options, hooks }) => ({
    event,
    options,
    hooks: hooks.map((hook) => ({
      hook: hook as Hook,
      description: nameOf(hook),
      source: { ...source, layer: 'file' },
      // The approval covers the module as a whole.
      written: {
        type: typeof hook === 'function' ? 'callback' : (hook as { type?: unknown })?.type,
        module: file,
      },
      ...approved,
    })),
    source: { ...source, layer: 'file' },
  }));
}

/** The approval for its hooks; undefined: none. */
async function approvalOf(
  source: Source,
  { workspace, trust, diagnostics, unimported, imported }: ModuleReading,
): Promise<Pick<LoadedHook, 'approval'> | undefined> {
  if (source.layer !== 'project') return {};
  const subject = moduleSubject(source.file, workspace);
  const { status, ...approved } = await judgeOne(subject, trust);
  if (status === 'trusted') {
    if (approved.approval !== undefined) imported.add(approved.approval.fingerprint);
    return approved;
  }
  const why = status === 'modified' ? 'has changed since it was approved' : 'is not approved';
  const message = `This module comes with the workspace and ${why}; it is not imported.`;
  // What it would guard is unknown, so nothing can refuse in its place.
  const lost = status === 'modified' && { failsOpen: true };
  diagnostics.push({ severity: 'warning', code: status, message, source, ...lost });
  unimported.push(subject);
  return undefined;
}

/** A workspace module as the subject of an approval. */
function moduleSubject(file: string, workspace: string): TrustSubject {
  const handler = { type: 'module', module: file };
  return { event: 'module', handler, workspace, files: [file], source: file };
}

/** Group by group, so that an invalid one does not affect the others. */
function readRegistrations(
  exported: { readonly default?: unknown; readonly events?: unknown },
  source: Source,
  diagnostics: Diagnostic[],
): Registration[] {
  const report = (severity: Diagnostic['severity'], code: string, message: string): void => {
    diagnostics.push(losesProtection({ severity, code, message, source }));
  };
  try {
    registerEvents(exported.events as EventTable | undefined);
  } catch (error) {
    report('error', 'bad_module', messageOf(error));
  }
  const config = Object.hasOwn(exported, 'default') ? exported.default : undefined;
  if (config === undefined) {
    report('error', 'bad_module', `The module has no default export; ${EXPECTED}.`);
    return [];
  }
  if (!isObject(config)) {
    report(
      'error',
      'bad_module',
      `The default export is ${show(config)}, not an object of events; ${EXPECTED}.`,
    );
    return [];
  }
  // As in the other files, the events may be below `hooks`.
  const { hooks, ...rest } = config;
  const events = hooks === undefined ? rest : isObject(hooks) ? { ...hooks, ...rest } : undefined;
  if (events === undefined) {
    report('error', 'bad_module', `\`hooks\` is ${show(hooks)}, not an object of events; ${EXPECTED}.`);
    return [];
  }
  const entries = Object.entries(events).flatMap(([event, groups]) =>
    Array.isArray(groups) && groups.length > 0
      ? groups.map((group: unknown) => [event, [group]] as const)
      : [[event, groups] as const],
  );
  return entries.flatMap(([event, groups]) => {
    if (!isEvent(event)) {
      const { severity, code, message } = unknownEventProblem(event);
      report(severity, code, message);
      return [];
    }
    try {
      return [...readConfig({ [event]: groups })];
    } catch (error) {
      report('error', 'bad_group', `This group is ignored: ${messageOf(error)}`);
      return [];
    }
  });
}

/** Where in the file an error was thrown, if its stack says so. */
function placeIn(error: unknown, file: string): Partial<Pick<Source, 'line' | 'column'>> {
  const name = basename(file).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const found = new RegExp(`[/\\\\]${name}(?:\\?[^:\\s]*)?:(\\d+):(\\d+)`).exec(String(toError(error).stack));
  return found === null ? {} : { line: Number(found[1]), column: Number(found[2]) };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nameOf(hook: unknown): string {
  if (typeof hook === 'function') return hook.name || 'a callback';
  return String((hook as { command?: unknown }).command ?? 'a hook');
}
