/** Answers in Markdown, as a terminal shows them. */
import { stripVTControlCharacters } from 'node:util';
import colors from 'picocolors';
import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../../src/cli/run/terminal/markdown.js';
import { wrapLine } from '../../../src/cli/wrap.js';

const plain = colors.createColors(false);
const coloured = colors.createColors(true);

describe('Markdown at a terminal', () => {
  it('LV-24 headings, lists, tables, quotes and code are lines that read well without colours', () => {
    const text = [
      '# Title',
      '',
      'Some **bold** and *soft* text with `code & <tags>` and [a link](https://example.com).',
      '',
      '- one',
      '- two',
      '  1. inner',
      '- [x] done',
      '',
      '| name | size |',
      '|---|---|',
      '| a | 10 |',
      '| longer | 2 |',
      '',
      '> quoted',
      '',
      '```js',
      'if (a < b) {}',
      '```',
    ].join('\n');
    expect(renderMarkdown(text, plain, 100)).toEqual([
      'Title',
      '',
      'Some bold and soft text with code & <tags> and a link (https://example.com).',
      '',
      '• one',
      '• two',
      '  1. inner',
      '• [x] done',
      '',
      '  name    size',
      '  a       10',
      '  longer  2',
      '',
      '│ quoted',
      '',
      '  if (a < b) {}',
    ]);
  });

  it('LV-24 is wrapped to the width, with the indentation of its list', () => {
    const lines = renderMarkdown(`- ${'word '.repeat(12)}`, plain, 31);
    expect(lines).toEqual(['• word word word word word', '  word word word word word', '  word word']);
  });

  it('LV-24 a wrapped line does not begin with the blank at which it was broken', () => {
    for (let columns = 22; columns < 60; columns++)
      for (const paint of [plain, coloured])
        for (const line of renderMarkdown(
          '**Some bold text** with a rule and `a bit of code` in it',
          paint,
          columns,
        ))
          expect(stripVTControlCharacters(line)).toMatch(/^\S/);
  });

  it('LV-24 a long line keeps its indentation, also in colour', () => {
    const text = 'It may hold secrets: work without it.';
    for (const line of [`    ${text}`, coloured.dim(`    ${text}`)])
      for (const part of wrapLine(line, 30)) expect(stripVTControlCharacters(part)).toMatch(/^ {4}\S/);
  });

  it('LV-24 plain text comes out as it is, and unfinished Markdown does not disturb it', () => {
    expect(renderMarkdown('Done.', plain, 80)).toEqual(['Done.']);
    expect(renderMarkdown('a * b\n`open\n**open', plain, 80)).toEqual(['a * b', '`open', '**open']);
    expect(renderMarkdown('', plain, 80)).toEqual([]);
  });

  it('LV-27 nothing in it controls the terminal; colours are ours', () => {
    const [line = ''] = renderMarkdown('**x** \u001b[2J `y`', coloured, 80);
    expect(line).toContain('␛[2J');
    expect(line.split('\u001b').length - 1).toBe(4);
  });
});
