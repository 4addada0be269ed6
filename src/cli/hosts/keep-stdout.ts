/** Keeps stdout for the answer: whatever else this process writes there meanwhile goes to stderr. */

let holders = 0;
let original: typeof process.stdout.write | undefined;

/** Returns what gives stdout back. */
export function keepStdout(): () => void {
  const { stdout, stderr } = process;
  if (holders++ === 0) {
    original = stdout.write;
    stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  }
  return () => {
    if (--holders === 0 && original !== undefined) stdout.write = original;
  };
}
