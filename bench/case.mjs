// Runs one case, in a process that runs nothing else: what one case teaches the compiler is no use or harm to the next.
import { cases } from './cases/index.mjs';

const [name, quick] = process.argv.slice(2);
const { title, limit, curve, run } = cases[name];
const seconds = quick === 'quick' ? 0.6 : 3;
const result = await run({ quick: quick === 'quick', seconds });
process.send({ case: name, title, limit, ...(curve !== undefined && { curve }), ...result }, () =>
  process.exit(),
);
