// Firing callbacks in this process. The limit is a bare `await callback(input)`.
import { Runner } from '../../dist/index.js';
import { callback, groupOf, input } from '../inputs.mjs';
import { compare } from '../measure.mjs';
import { callbackPeers } from '../peers.mjs';

/** What guards answer: the headline, because a hook that has nothing to say is not why people write hooks. */
const approve = async () => ({ decision: 'approve' });
const deny = async () => ({ decision: 'deny', reason: 'it would delete the build folder' });

export const callbackCases = {
  'one-approve': {
    title: '1 callback that approves, 1 KB input',
    limit: 'bare await',
    run: (options) => deciding(1, approve, options),
  },
  'one-deny': {
    title: '1 callback that denies with a reason, 1 KB input',
    limit: 'bare await',
    run: (options) => deciding(1, deny, options),
  },
  'ten-approve': {
    title: '10 callbacks that approve, 1 KB input',
    limit: 'ten bare awaits',
    run: (options) => deciding(10, approve, options),
  },
  'ten-deny': {
    title: '10 callbacks that deny with a reason, 1 KB input',
    limit: 'ten bare awaits',
    run: (options) => deciding(10, deny, options),
  },
  'no-hook': {
    title: 'no hook registered',
    limit: 'bare await',
    run: (options) => versus(0, bareOne, options),
  },
  'one-callback': {
    title: '1 callback that answers `{}`, 1 KB input',
    limit: 'bare await',
    run: (options) => versus(1, bareOne, options),
  },
  'ten-callbacks': {
    title: '10 callbacks that answer `{}`, 1 KB input',
    limit: 'ten bare awaits',
    run: (options) => versus(10, bareTen, options),
  },
  watched: {
    title: '1 callback, with a listener and a signal of the session',
    limit: 'bare await',
    run: async (options) => {
      const runner = new Runner({ hooks: { PreToolUse: groupOf(1) } });
      runner.messages.on('message', () => {});
      const { signal } = new AbortController();
      const run = () => runner.fire('PreToolUse', input, { signal });
      return { rows: await compare([bareOne, ours('hookline', run)], options) };
    },
  },
  'one-per-turn': {
    title: '1 callback, one fire in each turn of the event loop',
    limit: 'bare await, then a turn',
    run: async (options) => {
      const runner = new Runner({ hooks: { PreToolUse: groupOf(1) } });
      const turn = () => new Promise(setImmediate);
      const contenders = [
        { name: 'bare await, then a turn', role: 'limit', run: () => callback(input).then(turn) },
        ours('hookline, then a turn', () => runner.fire('PreToolUse', input).then(turn)),
      ];
      return { rows: await compare(contenders, options) };
    },
  },
  answers: {
    title: '1 callback that has something to say',
    limit: 'bare await',
    run: async (options) => {
      const answering = (name, answer) => {
        const runner = new Runner({ hooks: { PreToolUse: [{ hooks: [async () => answer] }] } });
        return ours(name, () => runner.fire('PreToolUse', input));
      };
      const contenders = [
        bareOne,
        answering('answers nothing', undefined),
        answering('answers {}', {}),
        answering('adds context', specific({ additionalContext: 'by the way' })),
        answering('denies', specific({ permissionDecision: 'deny', permissionDecisionReason: 'no' })),
        answering('rewrites the input', specific({ updatedInput: { command: 'ls' } })),
      ];
      return { rows: await compare(contenders, options) };
    },
  },
};

const bareOne = { name: 'bare await callback(input)', role: 'limit', run: () => callback(input) };

const bareTen = {
  name: 'ten bare awaits',
  role: 'limit',
  run: async () => {
    for (let i = 0; i < 10; i++) await callback(input);
  },
};

function ours(name, run) {
  return { name, role: 'ours', run };
}

async function versus(count, bare, options) {
  const runner = new Runner({ hooks: count === 0 ? {} : { PreToolUse: groupOf(count) } });
  const hookline = ours('hookline, all guarantees on', () => runner.fire('PreToolUse', input));
  return { rows: await compare([bare, hookline, ...(await callbackPeers(count))], options) };
}

async function deciding(count, decide, options) {
  const hooks = Array.from({ length: count }, () => decide);
  const runner = new Runner({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks }] } });
  const bare = {
    name: count === 1 ? 'bare await callback(input)' : 'ten bare awaits',
    role: 'limit',
    run: async () => {
      for (let i = 0; i < count; i++) await decide(input);
    },
  };
  const single = { ...bare, run: () => decide(input) };
  const hookline = ours('hookline, all guarantees on', () => runner.fire('PreToolUse', input));
  const peers = await callbackPeers(count, decide);
  return { rows: await compare([count === 1 ? single : bare, hookline, ...peers], options) };
}

function specific(fields) {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } };
}
