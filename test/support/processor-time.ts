/** Milliseconds of processor time that this process has used. What else the machine does is not in it. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
