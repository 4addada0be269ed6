/** Renders the Markdown of an answer for a terminal: plain lines with a few styles, wrapped to its width. */
import { lexer, type Token, type Tokens } from 'marked';
import wrapAnsi from 'wrap-ansi';
import { escapeControls } from '../../../base/json/escape-controls.js';
import type { Paint } from '../../printer.js';
import { aligned, withoutIndent } from './texts.js';

const MIN_WIDTH = 20;

/** Never throws. Text that is no Markdown comes out as it is. */
export function renderMarkdown(text: string, paint: Paint, columns: number): string[] {
  const width = Math.max(MIN_WIDTH, columns - 1);
  return trimBlank(blocks(lexer(escapeControls(text)), paint, width));
}

function blocks(tokens: readonly Token[], paint: Paint, width: number): string[] {
  return tokens.flatMap((token) => block(token, paint, width));
}

function block(token: Token, paint: Paint, width: number): string[] {
  switch (token.type) {
    case 'space':
      return [''];
    case 'heading':
      return wrap(paint.bold(inline(token.tokens, paint)), width);
    case 'code':
      return (token as Tokens.Code).text.split('\n').map((line) => `  ${line}`);
    case 'blockquote':
      return indented(
        trimBlank(blocks(token.tokens ?? [], paint, width - 2)),
        paint.dim('│ '),
        paint.dim('│ '),
      );
    case 'list':
      return listLines(token as Tokens.List, paint, width);
    case 'table':
      return tableLines(token as Tokens.Table, paint);
    case 'hr':
      return [paint.dim('─'.repeat(Math.min(width, 40)))];
    case 'html':
      return token.raw.trimEnd().split('\n');
    default:
      return wrap(inline('tokens' in token ? token.tokens : [token], paint), width);
  }
}

function listLines({ ordered, start, items }: Tokens.List, paint: Paint, width: number): string[] {
  return items.flatMap((item, i) => {
    const bullet = ordered ? `${Number(start || 1) + i}. ` : '• ';
    const box = item.task ? (item.checked ? '[x] ' : '[ ] ') : '';
    // The list shows the box itself.
    const content = item.tokens.filter(({ type }) => type !== 'checkbox');
    const lines = trimBlank(blocks(content, paint, width - bullet.length));
    return indented(lines, `${bullet}${box}`, ' '.repeat(bullet.length));
  });
}

function tableLines({ header, rows }: Tokens.Table, paint: Paint): string[] {
  const cells = [header, ...rows].map((row) => row.map((cell) => inline(cell.tokens, paint)));
  const [first = '', ...rest] = aligned(cells);
  return [paint.bold(first), ...rest];
}

function inline(tokens: readonly Token[] | undefined, paint: Paint): string {
  return (tokens ?? []).map((token) => inlineText(token, paint)).join('');
}

function inlineText(token: Token, paint: Paint): string {
  switch (token.type) {
    case 'strong':
      return paint.bold(inline(token.tokens, paint));
    case 'codespan':
      return paint.bold((token as Tokens.Codespan).text);
    case 'link': {
      const label = inline(token.tokens, paint);
      const { href } = token as Tokens.Link;
      return label === href ? href : `${label} ${paint.dim(`(${href})`)}`;
    }
    case 'br':
      return '\n';
    case 'em':
    case 'del':
      return inline(token.tokens, paint);
    default:
      return 'tokens' in token && token.tokens !== undefined
        ? inline(token.tokens, paint)
        : 'text' in token
          ? String(token.text)
          : token.raw;
  }
}

const wrap = (text: string, width: number): string[] =>
  text.split('\n').flatMap((line) =>
    wrapAnsi(line, width, { trim: false, hard: true })
      .split('\n')
      .map((part, i) => (i === 0 ? part : withoutIndent(part)).trimEnd()),
  );

const indented = (lines: readonly string[], first: string, rest: string): string[] =>
  lines.map((line, i) => `${i === 0 ? first : rest}${line}`);

function trimBlank(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return first === -1 ? [] : lines.slice(first, last + 1);
}
