import { describe, expect, it } from 'vitest';
import { isPromised, readSteps } from './page.js';

describe('a page of the documentation', () => {
  it('is read as files to write, commands to run with what they print, and the rest', () => {
    const page = [
      '```ts [guard.ts]',
      'export {};',
      '```',
      'Run it:',
      '```sh',
      'echo 1',
      '```',
      '```text',
      '1',
      '```',
      '```json',
      '{}',
      '```',
    ].join('\n');
    expect(readSteps(page)).toEqual([
      { kind: 'write', file: 'guard.ts', text: 'export {};\n', line: 1 },
      { kind: 'run', script: 'echo 1\n', output: '1\n', line: 5 },
      { kind: 'show', language: 'json', text: '{}\n', line: 11 },
    ]);
  });

  it('keeps its promise only with the very same output, but for what `…` stands for', () => {
    expect(isPromised('a … c\n…\nend', 'a 12 ms c\nx\ny\nend\n')).toBe(true);
    expect(isPromised('a … c', 'a 12 ms d')).toBe(false);
    expect(isPromised('a', 'a\nb')).toBe(false);
    expect(isPromised('a\n…', 'a\nb\nc')).toBe(true);
    expect(isPromised('1.5', '1x5')).toBe(false);
  });
});
