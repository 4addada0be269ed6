/** The inputs of tools, typed by the matcher. Checked by the compiler, never run. */
import { describe, expectTypeOf, it } from 'vitest';
import { Runner } from '../../src/index.js';

declare global {
  namespace Hookline {
    interface ToolInputs {
      Deploy: { target: 'staging' | 'production' };
    }
  }
}

const runner = new Runner();

describe('the input of a tool', () => {
  it('EV-14 is typed when the matcher names a tool', () => {
    runner.on('PreToolUse', { matcher: 'Bash' }, ({ tool_input, tool_name }) => {
      expectTypeOf(tool_input.command).toEqualTypeOf<string>();
      expectTypeOf(tool_name).toEqualTypeOf<'Bash'>();
    });
    runner.on('PostToolUse', { matcher: 'Deploy', onFailure: 'block' }, async ({ tool_input }) => {
      expectTypeOf(tool_input.target).toEqualTypeOf<'staging' | 'production'>();
    });
  });

  it('EV-14 is told apart by the name when the matcher names several', () => {
    runner.on('PreToolUse', { matcher: 'Read|Bash' }, (input) => {
      if (input.tool_name === 'Bash') expectTypeOf(input.tool_input.command).toEqualTypeOf<string>();
      else expectTypeOf(input.tool_input.file_path).toEqualTypeOf<string>();
    });
  });

  it('EV-14 stays unknown for other matchers and without one', () => {
    const matcher: string = 'Bash';
    runner.on('PreToolUse', ({ tool_input }) => {
      expectTypeOf(tool_input).toBeUnknown();
    });
    runner.on('PreToolUse', { matcher }, ({ tool_input }) => {
      expectTypeOf(tool_input).toBeUnknown();
    });
    runner.on('PreToolUse', { matcher: 'mcp__*' }, ({ tool_input }) => {
      expectTypeOf(tool_input).toBeUnknown();
    });
    runner.on('PreToolUse', { matcher: 'Bash|Other' }, ({ tool_input }) => {
      expectTypeOf(tool_input).toBeUnknown();
    });
  });

  it('EV-14 a misspelt field, option or answer does not compile', () => {
    // @ts-expect-error no such field
    runner.on('PreToolUse', { matcher: 'Bash' }, ({ tool_input }) => void tool_input.comand);
    // @ts-expect-error no such option
    runner.on('PreToolUse', { match: 'Bash' }, () => undefined);
    // @ts-expect-error the answer of another event
    runner.on('PreToolUse', { matcher: 'Bash' }, () => ({ hookSpecificOutput: { hookEventName: 'Stop' } }));
  });
});
