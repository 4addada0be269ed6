/** A program of the older kind: it requires. */
const { tryEntries } = require('./try-entries.mjs');

tryEntries(async (specifier) => require(specifier)).then((result) => console.log(JSON.stringify(result)));
