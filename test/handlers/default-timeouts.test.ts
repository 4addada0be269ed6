import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { resolveDialect } from '../../src/dialects/index.js';
import { ALL_EVENTS } from '../../src/events/registry.js';
import { DEFAULT_TIMEOUTS } from '../../src/handlers/default-timeouts.js';
import { HANDLER_KINDS } from '../../src/handlers/kinds.js';

const { hook, prompt, agent, massgen, claudeCode, claudeCodePrompt, claudeCodeDisplay, claudeCodeExit } =
  DEFAULT_TIMEOUTS;

describe('default timeouts', () => {
  it.each([
    [
      'docs/concepts/guarantees.md',
      `deadline of a hook | ${hook} s (Claude settings ${claudeCode} s, MassGen ${massgen} s)`,
    ],
    ['spec/order.md', `otherwise the runner's, otherwise ${hook} seconds`],
    ['spec/handlers.md', `default timeout is ${prompt} seconds for a prompt and ${agent} for an agent`],
    ['spec/massgen.md', `\`timeout\` in seconds\n  (${massgen})`],
    ['src/runner/options.ts', `the hook itself says otherwise. Default: ${hook}.`],
    ['src/handlers/types.ts', `Default: ${prompt} for a prompt, ${agent} for an agent`],
  ])('DL-1 HK-5 MG-4 %s states those of the code', (file, text) => {
    expect(readFileSync(file, 'utf8')).toContain(text);
  });

  it('HK-5 the kinds that ask a model have their own', () => {
    expect([HANDLER_KINDS.prompt.timeout, HANDLER_KINDS.agent.timeout]).toEqual([prompt, agent]);
    expect(HANDLER_KINDS.command.timeout).toBeUndefined();
  });

  it('MG-4 every dialect uses its own', () => {
    const of = (name: string) => new Set(ALL_EVENTS.map((event) => resolveDialect(name).timeout?.(event)));
    expect(of('hookline')).toEqual(new Set([undefined]));
    expect(of('massgen')).toEqual(new Set([massgen]));
    expect(of('claude-code')).toEqual(
      new Set([claudeCode, claudeCodePrompt, claudeCodeDisplay, claudeCodeExit]),
    );
  });
});
