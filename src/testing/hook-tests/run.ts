/** Runs hook tests one after another, each with its own input. */
import { messageOf } from '../../base/errors.js';
import { setPath } from '../../base/json/set-path.js';
import { sampleFields, sampleInput } from '../samples.js';
import type { Fired, HookSession } from '../session.js';
import { compare, type Difference } from './compare.js';
import type { BrokenTest, LoadedTest } from './load.js';

export interface TestResult {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly passed: boolean;
  readonly durationMs: number;
  readonly differences: readonly Difference[];
  /** Why it could not be run. */
  readonly problem?: string;
  readonly fired?: Fired;
}

/** Never rejects. */
export async function runTest(
  test: LoadedTest | BrokenTest,
  session: HookSession,
  cwd: string,
): Promise<TestResult> {
  const { file, line, name } = test;
  const at = { file, line, name };
  if ('problem' in test)
    return { ...at, passed: false, durationMs: 0, differences: [], problem: test.problem };
  const started = performance.now();
  const took = (): number => performance.now() - started;
  try {
    const { event, expect, agent } = test.test;
    const fired = await session.fire({ event, input: inputOf(test, cwd), agentId: agent });
    const differences = await compare(expect, fired);
    return { ...at, passed: differences.length === 0, durationMs: took(), differences, fired };
  } catch (error) {
    return { ...at, passed: false, durationMs: took(), differences: [], problem: messageOf(error) };
  }
}

/** Throws a HookError if the input does not match the event. */
function inputOf({ test }: LoadedTest, cwd: string): Readonly<Record<string, unknown>> {
  const { event, input, set = {} } = test;
  const own = Object.entries(set).reduce<unknown>(
    (made, [path, value]) => setPath(made, path.split('.'), value),
    { ...sampleFields(event, cwd, set['tool_name'] ?? input?.['tool_name']), ...input },
  );
  return sampleInput(event, cwd, own as object);
}
