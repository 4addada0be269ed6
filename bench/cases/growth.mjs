// How the cost of a fire grows: with hooks, matchers, the input, and fires at once. The first point is the limit.
import { Runner } from '../../dist/index.js';
import { callback, groupOf, input, stringInput, treeInput } from '../inputs.mjs';
import { compare } from '../measure.mjs';
import { matcherPeers } from '../peers.mjs';

export const growthCases = {
  hooks: {
    title: 'more callbacks in one fire',
    limit: '1 callback',
    curve: 'callbacks',
    run: (options) => curve([1, 2, 5, 10, 20, 50], (count) => fires(groupOf(count)), options),
  },
  matchers: {
    title: 'more matchers, one hit',
    limit: '1 matcher',
    curve: 'matchers',
    run: async (options) => {
      const result = await curve([1, 10, 100, 1000], (count) => fires(matchersFor(count)), options);
      const peers = [...(await matcherPeers(1)), ...(await matcherPeers(1000))];
      if (peers.length === 0) return result;
      const rows = await compare(peers, { ...options, seconds: 2 });
      return {
        ...result,
        facts: { [`${rows[0].name}, 1000 matchers against 1`]: `${rows[1].ratio.toFixed(1)} x` },
      };
    },
  },
  payload: {
    title: 'a larger tool input, in process',
    limit: '1 KB',
    curve: 'bytes',
    run: (options) =>
      curve(
        [1e3, 32e3, 1e6],
        (bytes) => fires(groupOf(1), bytes === 1e3 ? input : stringInput(bytes)),
        options,
      ),
  },
  tree: {
    title: 'a larger tool input of many small objects',
    limit: '1 KB',
    run: async (options) => {
      const contenders = [1e3, 1e6].map((bytes) =>
        point(`${bytes / 1000} KB in objects`, bytes, fires(groupOf(1), treeInput(bytes))),
      );
      return { rows: await compare(named(contenders), options) };
    },
  },
  concurrency: {
    title: 'more fires at once (cost of each)',
    limit: 'one after another',
    curve: 'fires at once',
    run: (options) => curve([1, 10, 100, 1000], (count) => atOnce(count), { ...options, blockMs: 1.5 }),
  },
  listeners: {
    title: 'more listeners of messages',
    limit: 'no listener',
    curve: 'listeners',
    run: (options) => curve([0, 1, 10], (count) => watched(count), options),
  },
};

async function curve(sizes, make, options) {
  const contenders = sizes.map((size) => point(`${size}`, size, make(size)));
  const rows = await compare(named(contenders), options);
  return { rows, points: sizes.map((size, i) => ({ size, ns: rows[i].p10, ratio: rows[i].ratio })) };
}

function point(name, size, made) {
  return typeof made === 'function' ? { name, size, run: made } : { name, size, ...made };
}

/** The first is what the others are compared with; the last, the largest, is the one that counts. */
function named(contenders) {
  return contenders.map((contender, i) => ({
    ...contender,
    role: i === 0 ? 'limit' : i === contenders.length - 1 ? 'ours' : 'other',
  }));
}

function fires(groups, own = input) {
  const runner = new Runner({ hooks: { PreToolUse: groups } });
  return () => runner.fire('PreToolUse', own);
}

function matchersFor(count) {
  return Array.from({ length: count }, (_, i) => ({
    matcher: i === count >> 1 ? 'Bash' : `Tool${i}_*`,
    hooks: [callback],
  }));
}

function atOnce(count) {
  const fire = fires(groupOf(1));
  // One after another is how a loop fires: no list of promises is paid for by somebody who needs none.
  if (count === 1) return fire;
  const run = () => {
    const all = [];
    for (let i = 0; i < count; i++) all.push(fire());
    return Promise.all(all);
  };
  return { run, per: count };
}

function watched(count) {
  const runner = new Runner({ hooks: { PreToolUse: groupOf(1) } });
  for (let i = 0; i < count; i++) runner.messages.on('message', () => {});
  return () => runner.fire('PreToolUse', input);
}
