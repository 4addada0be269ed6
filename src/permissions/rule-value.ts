/** Specifiers that compare one value of a tool's input: a domain, a subagent, a skill, or any parameter. */
import { matchesWildcard } from '../base/text/wildcard.js';
import { type CommandPattern, compileCommandPattern } from './rule-bash.js';
import { type Judge, UNREADABLE, whole } from './rule-judge.js';

type Fields = Readonly<Record<string, unknown>>;

const PARAMETER = /^([A-Za-z_]\w*)\s*:\s*(.*)$/s;

export interface Parameter {
  readonly name: string;
  readonly value: string;
}

/** Parses `name:value`; undefined if it has another form. */
export function readParameter(specifier: string): Parameter | undefined {
  const [, name, value] = PARAMETER.exec(specifier) ?? [];
  return name === undefined || value === undefined ? undefined : { name, value };
}

/** One matching parameter says nothing about the rest of the call, so such a rule never allows anything. */
export function judgeParameter({ name, value }: Parameter): Judge {
  return (input) => {
    const given = own(input, name);
    const scalar = typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean';
    const named = scalar && matchesWildcard(value, String(given));
    return { matches: named, covers: false, applies: named };
  };
}

/**
 * `example.com`, `*.example.com` (any subdomain, but not the domain itself), `*`; any other wildcard matches within one
 * label.
 */
export function judgeDomain(domain: string): Judge {
  const wanted = hostOf(domain);
  return (input) => {
    const url = own(input, 'url');
    if (typeof url !== 'string' || !URL.canParse(url)) return UNREADABLE;
    return whole(isDomain(hostOf(new URL(url).hostname), wanted));
  };
}

function hostOf(text: string): string {
  return text.toLowerCase().replace(/\.$/, '');
}

function isDomain(host: string, wanted: string): boolean {
  if (wanted === '*') return true;
  const labels = host.split('.');
  const patterns = wanted.split('.');
  if (patterns[0] === '*') {
    patterns.shift();
    if (labels.length <= patterns.length) return false;
    labels.splice(0, labels.length - patterns.length);
  }
  return (
    labels.length === patterns.length && labels.every((label, i) => matchesWildcard(patterns[i] ?? '', label))
  );
}

/** The name of a subagent, which may contain a colon (`plugin:reviewer`), or a parameter. */
export function judgeAgent(specifier: string, parameter: Parameter | undefined): Judge {
  const byParameter = parameter && judgeParameter(parameter);
  return (input, context) => {
    const type = own(input, 'subagent_type');
    const named = typeof type === 'string' && matchesWildcard(specifier, type);
    return named || byParameter === undefined ? whole(named) : byParameter(input, context);
  };
}

/** The name of a skill, with its arguments if the rule mentions them. */
export function judgeSkill(specifier: string): Judge {
  const pattern: CommandPattern = compileCommandPattern(specifier);
  return (input) => {
    const skill = own(input, 'skill');
    const args = own(input, 'args');
    if (typeof skill !== 'string') return UNREADABLE;
    const call = typeof args === 'string' && args !== '' ? `${skill} ${args}` : skill;
    return whole(pattern.matches(call) || pattern.matches(skill));
  };
}

function own(input: unknown, key: string): unknown {
  if (typeof input !== 'object' || input === null || !Object.hasOwn(input, key)) return undefined;
  return (input as Fields)[key];
}
