/** Reads the hooks of a MassGen file: every entry with its event, agent and position, checked but not yet resolved. */
import type { Node } from 'yaml';
import type { Source } from '../../config/loaded.js';
import { unknownEventProblem } from '../../config/unknown-event.js';
import { isEvent, rowOf } from '../../events/registry.js';
import type { AnyEvent } from '../../events/types.js';
import { readEntry } from './entry.js';
import type { WrittenHook } from './types.js';
import type { YamlFile } from './yaml.js';

export interface WrittenGroup {
  readonly event: AnyEvent;
  readonly source: Source;
  /** Undefined: for all agents. */
  readonly agentId?: string;
  /** With this, the global hooks do not apply to the agent. */
  readonly override: boolean;
  /** Undefined: the list is empty, and only its `override` counts. */
  readonly hook?: WrittenHook;
}

/** Whose hooks are being read. */
interface Scope {
  readonly agentId?: string;
}

export function readWritten(yaml: YamlFile): WrittenGroup[] {
  const { root } = yaml;
  if (root === undefined) return [];
  if (yaml.entries(root) === undefined) {
    yaml.error(
      'invalid_config',
      `The file is ${yaml.show(root)}; a MassGen configuration is a mapping.`,
      root,
    );
    return [];
  }
  const agents = [...(yaml.items(yaml.get(root, 'agents')) ?? []), yaml.get(root, 'agent')];
  return [
    ...readHooks(yaml, yaml.get(root, 'hooks'), {}),
    ...agents.filter((agent) => agent !== undefined).flatMap((agent) => readAgent(yaml, agent)),
  ];
}

function readAgent(yaml: YamlFile, agent: Node): WrittenGroup[] {
  const misplaced = yaml.get(agent, 'hooks');
  if (misplaced !== undefined) {
    const message = 'Hooks of an agent are read under its `backend`; these are ignored. Move them there.';
    yaml.error('misplaced_hooks', message, misplaced);
  }
  const hooks = yaml.get(yaml.get(agent, 'backend'), 'hooks');
  if (hooks === undefined) return [];
  const id = yaml.scalar(yaml.get(agent, 'id'));
  if ((typeof id === 'string' && id !== '') || typeof id === 'number') {
    return readHooks(yaml, hooks, { agentId: String(id) });
  }
  const message = 'This agent has hooks but no `id`, so they cannot be assigned. Give it one.';
  yaml.error('missing_agent_id', message, agent);
  return [];
}

/** Events with their hooks, or a plain list whose entries name their event as `type`. */
function readHooks(yaml: YamlFile, hooks: Node | undefined, scope: Scope): WrittenGroup[] {
  if (hooks === undefined) return [];
  const list = yaml.items(hooks);
  if (list !== undefined) return list.flatMap((item) => readListed(yaml, item ?? hooks, scope));
  const events = yaml.entries(hooks);
  if (events === undefined) {
    yaml.error('invalid_hooks', `\`hooks\` is ${yaml.show(hooks)}; give events with their hooks.`, hooks);
    return [];
  }
  return events.flatMap(({ key, keyNode, value }) => {
    if (key === 'override') {
      const message =
        '`override` belongs to one event: write `PreToolUse: { override: true, hooks: [...] }`.';
      yaml.error('misplaced_override', message, keyNode);
      return [];
    }
    const event = readEvent(yaml, key, keyNode);
    return event === undefined ? [] : readEventHooks(yaml, event, keyNode, value, scope);
  });
}

function readListed(yaml: YamlFile, item: Node, scope: Scope): WrittenGroup[] {
  const type = yaml.get(item, 'type');
  const event = readEvent(yaml, yaml.scalar(type), type ?? item);
  if (event === undefined) return [];
  const hook = readEntry(yaml, item, { typeIsEvent: true });
  return [{ event, ...scope, override: false, hook, source: hook.source }];
}

function readEventHooks(
  yaml: YamlFile,
  event: AnyEvent,
  keyNode: Node,
  value: Node | undefined,
  scope: Scope,
): WrittenGroup[] {
  const fields = yaml.entries(value);
  const list = fields === undefined ? value : yaml.get(value, 'hooks');
  const override = fields !== undefined && readOverride(yaml, event, value, scope);
  for (const { key, keyNode: at } of fields ?? []) {
    if (key === 'override' || key === 'hooks') continue;
    const message = `\`${key}\` means nothing beside \`override\` and \`hooks\`. Write hooks as a list under \`hooks\`.`;
    yaml.error('unknown_key', message, at);
  }
  const items = list === undefined ? [] : yaml.items(list);
  if (items === undefined) {
    yaml.error('invalid_hooks', `The hooks of ${event} are ${yaml.show(list)}; give a list.`, list);
    return [];
  }
  const groups = items.map((item): WrittenGroup => {
    const hook = readEntry(yaml, item ?? keyNode, { typeIsEvent: false });
    return { event, ...scope, override, hook, source: hook.source };
  });
  if (groups.length > 0 || !override) return groups;
  return [{ event, ...scope, override, source: yaml.sourceOf(keyNode) }];
}

function readOverride(yaml: YamlFile, event: AnyEvent, value: Node | undefined, { agentId }: Scope): boolean {
  const node = yaml.get(value, 'override');
  if (node === undefined) return false;
  const override = yaml.scalar(node);
  if (typeof override !== 'boolean') {
    const message = `\`override\` is ${yaml.show(node)}; give true or false. The hooks for all agents stay on.`;
    yaml.error('invalid_override', message, node);
    return false;
  }
  if (override && agentId === undefined) {
    const message = `\`override\` of ${event} is ignored here: there is nothing to override above the hooks for all agents.`;
    yaml.warn('misplaced_override', message, node);
  }
  return override && agentId !== undefined;
}

function readEvent(yaml: YamlFile, name: unknown, at: Node): AnyEvent | undefined {
  if (!isEvent(name)) {
    if (name === undefined) {
      const missing = 'This entry does not say its event; write `type: PreToolUse` or `type: PostToolUse`.';
      yaml.error('unknown_event', `${missing} It is ignored.`, at);
    } else {
      const { severity, code, message } = unknownEventProblem(name);
      if (severity === 'error') yaml.error(code, message, at);
      else yaml.warn(code, message, at);
    }
    return undefined;
  }
  if (!existsInMassgen(name)) {
    const message = `MassGen itself has no ${name}: the hooks run here only.`;
    yaml.warn('event_beyond_massgen', message, at);
  }
  return name;
}

/** MassGen has two: before and after a tool call, where its input and its output can still be changed. */
function existsInMassgen(event: AnyEvent): boolean {
  const { input, rewrites } = rowOf(event);
  return 'tool_use_id' in input && (rewrites.input ?? rewrites.output) !== undefined;
}
