/** A program of the newer kind: it imports. */
import { tryEntries } from './try-entries.mjs';

const attributes = (specifier) => (specifier.endsWith('.json') ? { with: { type: 'json' } } : {});
console.log(JSON.stringify(await tryEntries((specifier) => import(specifier, attributes(specifier)))));
