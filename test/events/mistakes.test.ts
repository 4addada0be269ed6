/** Everyday mistakes against the declarations of the built package: each is one error that ends in a plain sentence. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LanguageServer, type Problem } from '../support/language-server.js';

const own = (event: string, rest: string) => `{ hookSpecificOutput: { hookEventName: '${event}', ${rest} } }`;

/** A line of code, and the end of what the compiler says about it. */
const MISTAKES = {
  'a misspelt key of an answer': [
    `runner.on('PreToolUse', () => (${own('PreToolUse', "permissionDecison: 'deny'")}));`,
    `'NoSuchKey<"permissionDecison">'`,
  ],
  'a misspelt key at the top': [
    `runner.on('PreToolUse', () => ({ decison: 'block' }));`,
    `'NoSuchKey<"decison">'`,
  ],
  'a misspelt key beside a known one': [
    `runner.on('PreToolUse', () => ({ decision: 'block', reson: 'no' }));`,
    `'NoSuchKey<"reson">'`,
  ],
  'a key of another event': [
    `runner.on('PreToolUse', () => (${own('PreToolUse', "updatedToolOutput: ''")}));`,
    `'NoSuchKey<"updatedToolOutput">'`,
  ],
  "another event's answer": [
    `runner.on('PreToolUse', () => (${own('PostToolUse', "additionalContext: ''")}));`,
    `Type '"PostToolUse"' is not assignable to type '"PreToolUse"'.`,
  ],
  "another event's answer, later": [
    `runner.on('PreToolUse', async () => (${own('PostToolUse', '')}));`,
    `Type '"PostToolUse"' is not assignable to type '"PreToolUse"'.`,
  ],
  'a word that does not exist': [
    `runner.on('PreToolUse', () => ({ decision: 'maybe' }));`,
    `Type '"maybe"' is not assignable to type '"allow" | "approve" | "block" | "deny" | undefined'.`,
  ],
  'a permission that does not exist': [
    `runner.on('PreToolUse', () => (${own('PreToolUse', "permissionDecision: 'perhaps'")}));`,
    `Type '"perhaps"' is not assignable to type '"allow" | "ask" | "defer" | "deny" | undefined'.`,
  ],
  'a text in the place of true': [
    `runner.on('PreToolUse', () => ({ continue: 'yes' }));`,
    `Type 'string' is not assignable to type 'boolean | undefined'.`,
  ],
  'a text as an answer': [
    `runner.on('PreToolUse', () => 'deny');`,
    `Type 'string' is not assignable to type`,
  ],
  'a wrong answer in a list': [
    `runner.on('Stop', [() => ({ decision: 'maybe' })]);`,
    `Type '"maybe"' is not assignable to type '"allow" | "approve" | "block" | "deny" | undefined'.`,
  ],
  'background work without a promise': [
    `runner.on('Stop', () => ({ async: true, result: { decision: 'block' } }));`,
    `Property 'then' is missing in type`,
  ],
  'a misspelt option': [
    `runner.on('PreToolUse', { match: 'Bash' }, () => ({}));`,
    `Did you mean to write 'matcher'?`,
  ],
  'a misspelt policy': [
    `runner.on('PreToolUse', { matcher: 'Bash', onFailur: 'block' }, () => ({ decision: 'block' }));`,
    `Did you mean to write 'onFailure'?`,
  ],
  'a policy that does not exist': [
    `runner.on('PreToolUse', { onFailure: 'deny' }, () => ({}));`,
    `Type '"deny"' is not assignable to type 'FailurePolicy | undefined'.`,
  ],
  'a timeout with a unit': [
    `runner.on('PreToolUse', { timeout: '5s' }, () => ({}));`,
    `Type 'string' is not assignable to type 'number'.`,
  ],
  'an unknown event': [
    `runner.on('PreToolUses', () => ({}));`,
    `Argument of type '"PreToolUses"' is not assignable to parameter of type 'EventName<Record<never, never>>'.`,
  ],
  'an unknown event with options': [
    `runner.on('PreTooluse', { matcher: 'Bash' }, () => ({}));`,
    `Argument of type '"PreTooluse"' is not assignable to parameter of type 'EventName<Record<never, never>>'.`,
  ],
  'a field that a tool does not have': [
    `runner.on('PreToolUse', { matcher: 'Bash' }, ({ tool_input }) => { tool_input.file_path; });`,
    `Property 'file_path' does not exist on type '{ command: string;`,
  ],
  'a misspelt field of an input': [
    `runner.on('PreToolUse', (input) => { input.tool_nam; });`,
    `Did you mean 'tool_name'?`,
  ],
  'a misspelt option of a command': [
    `runner.on('Stop', command('true', { timout: 5 }));`,
    `Did you mean to write 'timeout'?`,
  ],
  'a misspelt option of the runner': [
    `new Runner({ sessionID: 'x' });`,
    `Did you mean to write 'sessionId'?`,
  ],
  'a runner option of a wrong type': [
    `new Runner({ timeout: '5' });`,
    `Type 'string' is not assignable to type 'number'.`,
  ],
  'an unknown event in a configuration': [
    `new Runner({ hooks: { PreToolUs: [] } });`,
    `Did you mean to write 'PreToolUse'?`,
  ],
  'a wrong answer in a configuration': [
    `new Runner({ hooks: { PreToolUse: [{ hooks: [() => ({ decision: 'maybe' })] }] } });`,
    `Type '"maybe"' is not assignable to type '"allow" | "approve" | "block" | "deny" | undefined'.`,
  ],
  'a misspelt option in a configuration': [
    `new Runner({ hooks: { PreToolUse: [{ match: 'Bash', hooks: [] }] } });`,
    `Did you mean to write 'matcher'?`,
  ],
  'a fire with a wrong type': [
    `runner.fire('Stop', { stop_hook_active: 'yes' });`,
    `Type 'string' is not assignable to type 'boolean'.`,
  ],
  'a fire without a field': [
    `runner.fire('PreToolUse', { tool_name: 'Bash' });`,
    `Property 'tool_input' is missing in type '{ tool_name: string; }'`,
  ],
  'a fire with a misspelt field': [
    `runner.fire('PreToolUse', { tool_nam: 'Bash', tool_input: {} });`,
    `Did you mean to write 'tool_name'?`,
  ],
  'a fire of an unknown event': [
    `runner.fire('PreToolUses', {});`,
    `Argument of type '"PreToolUses"' is not assignable to parameter of type 'AnyEvent'.`,
  ],
  'a decision where nothing can be refused': [
    `(await runner.fire('SessionStart', { source: 'startup' })).decision;`,
    `Property 'decision' does not exist on type 'HookOutcome<"SessionStart">'.`,
  ],
  'context for an event that takes none': [
    `context('SessionEnd', 'hello');`,
    `Argument of type '"SessionEnd"' is not assignable to parameter of type 'EventWithContext'.`,
  ],
  'a misspelt option of an adapter': [
    `createHooks({ runner, mailbx: undefined });`,
    `Did you mean to write 'mailbox'?`,
  ],
} as const;

const HEAD = `import { command, context, Runner } from 'hookline';
import { createHooks } from 'hookline/ai-sdk';
const runner = new Runner();`.split('\n');
const server = new LanguageServer();
let problems: readonly Problem[] = [];
beforeAll(async () => {
  await server.start();
  const lines = Object.values(MISTAKES).map(([line]) => line);
  problems = await server
    .open('mistakes.mts', [...HEAD, ...lines, 'command; context;'].join('\n'))
    .problems();
}, 120_000);
afterAll(() => server.close());

it.each(Object.entries(MISTAKES))(
  'EV-17 %s is one error, and its end says what is wrong',
  (name, [, end]) => {
    const line = HEAD.length + Object.keys(MISTAKES).indexOf(name);
    const found = problems
      .filter((problem) => problem.line === line)
      .map(({ message }) => message.split('\n'));
    expect(found).toHaveLength(1);
    expect(found[0]?.at(-1)).toContain(end);
    expect(found[0]?.length).toBeLessThanOrEqual(12);
  },
);

it('EV-17 nothing else is wrong', () => {
  expect(problems).toHaveLength(Object.keys(MISTAKES).length);
});
