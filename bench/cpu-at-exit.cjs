// Loaded before a program that is measured: says at its end how much processor time it took, in microseconds, and how
// much memory it holds.
const { writeSync } = require('node:fs');

process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  writeSync(3, JSON.stringify({ cpu: user + system, rss: process.memoryUsage.rss() }));
});
