// Handing over one item while many others wait: take, frame, acknowledge, and one new item so that as many wait as before.
import { createMailbox, frameItems } from '../../dist/injection/index.js';
import { compare } from '../measure.mjs';

const AGENT = 'agent';

export const injectionCases = {
  injection: {
    title: 'take, frame and acknowledge one item while others wait',
    limit: '10 waiting',
    curve: 'items waiting',
    run: async (options) => {
      const sizes = [10, 100, 1000, 10_000];
      const contenders = [];
      for (const [i, size] of sizes.entries()) {
        contenders.push({
          name: `${size} waiting`,
          role: i === 0 ? 'limit' : i === sizes.length - 1 ? 'ours' : 'other',
          run: await handingOver(size),
        });
      }
      const rows = await compare(contenders, options);
      return { rows, points: sizes.map((size, i) => ({ size, ns: rows[i].p10, ratio: rows[i].ratio })) };
    },
  },
};

async function handingOver(waiting) {
  const mailbox = createMailbox({ maxItems: 2 * waiting });
  const put = () => mailbox.put({ content: 'Something has happened.', to: AGENT, source: { kind: 'peer' } });
  for (let i = 0; i < waiting; i++) await put();
  return async () => {
    const lease = await mailbox.take({ agentId: AGENT, toolNames: ['Bash'], limit: 1 });
    if (lease.items.length !== 1) throw new Error(`${lease.items.length} items were handed over, not 1`);
    frameItems(lease.items);
    await lease.acknowledge();
    await put();
  };
}
