/** Which shell lines Perl code starts, if it is understood. */
import { type Language, type Reader, type Token, tokenize } from './tokens.js';
import {
  afterBracket,
  isPlainLine,
  isSign,
  isWord,
  Lines,
  linesStarted,
  type Started,
  words,
} from './understood.js';

const VARIABLE =
  /\$#?\{\^?\w+\}|[$@%]#?(?:::)?[A-Za-z_]\w*(?:::\w+)*|\$\d+|\$\^[A-Z]|\$#(?=[${])|\$[!"#&'()+,\-./0;<>?@[\\\]_`|~:](?!\w)|@[-+_]/y;
const GAP = /#[^\n]*/y;
const READ_LINE = /<(?:\$?\w*|[^<>\s=;]{0,200}[*?.][^<>\s=;]{0,200})>/y;
const QUOTING = /(qq|qw|qr|qx|q|m|tr|s|y)(\s*)([^\w\s,;)=]|=(?![>=~\s]))/y;
const PAIRS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };
const BEFORE_PATTERN = words(
  'split grep map if elsif unless and or not xor while until return x lt gt le ge eq ne cmp join push unshift print when',
);

export const PERL: Language = {
  tokens:
    /(?<gap>[ \t\n]+)|(?<word>[A-Za-z_]\w*(?:::\w+)*)|(?<number>\d[\w.]*|\.\d\w*)|(?<sign>=>|->|&&|\|\||\/\/|\*\*|\+\+|--|<=>|<<|>>|=~|!~|\.\.\.?|[<>=!]=|[!-/:-@[-^{-~])/y,
  special(reader) {
    const { rest = '', last, code, at } = reader;
    if (rest === '#') reader.skip(reader.match(GAP)?.[0].length ?? 1);
    else if (rest === '=' && /^[A-Za-z]/.test(code[at + 1] ?? '') && (at === 0 || code[at - 1] === '\n'))
      return reader.unclear();
    else if (/[$@%]/.test(rest) && (rest !== '%' || !isOperand(last))) {
      const [variable] = reader.match(VARIABLE) ?? [];
      if (variable === undefined) return false;
      reader.add('word', variable);
      reader.at += variable.length;
    } else if (rest === '<' && !isOperand(last)) {
      const [read] = reader.match(READ_LINE) ?? [];
      if (read === undefined) return reader.unclear();
      reader.add('pattern', read);
      reader.at += read.length;
    } else if (rest === '/') {
      if (!beginsPattern(reader)) return false;
      readQuoted(reader, 'm', '/');
    } else if (/["'`]/.test(rest)) readQuoted(reader, rest === '"' ? 'qq' : rest === "'" ? 'q' : 'qx', rest);
    else if (/[qmtsy]/.test(rest)) return readOperator(reader);
    else return false;
    return true;
  },
};

function isOperand(last: Token | undefined): boolean {
  if (last?.kind === 'word') return /^[$@%]/.test(last.text);
  return last !== undefined && (last.kind !== 'sign' || /^[)\]}]$/.test(last.text));
}

/** Whether a slash begins a pattern: unclear after a function or a block. */
function beginsPattern(reader: Reader): boolean {
  const { last, tokens } = reader;
  if (last?.kind === 'word' && !isOperand(last)) return BEFORE_PATTERN.has(last.text) || reader.unclear();
  if (!isSign(last, '}')) return !isOperand(last);
  return isSign(tokens.at(-3), '{') && /^[$@%]|^->$|^[}\]]$/.test(tokens.at(-4)?.text ?? '')
    ? false
    : reader.unclear();
}

/** `q(…)`, `s/…/…/`; not `->s`, `{s}`, `s => 1`, `-s $file`. */
function readOperator(reader: Reader): boolean {
  const [found, kind = '', blank = '', open = ''] = reader.match(QUOTING) ?? [];
  if (found === undefined || /\w/.test(reader.code[reader.at - 1] ?? '')) return false;
  if (isSign(reader.last, '->') || isWord(reader.last, 'sub')) return false;
  if (open === '#' && blank !== '') return reader.unclear();
  if (open === '}' && isSign(reader.last, '{')) return false;
  if (isSign(reader.last, '-')) return /[\s("'$]/.test(blank || open) ? false : reader.unclear();
  reader.at += found.length - open.length;
  readQuoted(reader, kind, open);
  return true;
}

/** Code in a text: `@{[…]}`, `${\ …}`, an index that is more than a name. */
const CODE_IN_TEXT =
  /[$@]\s*\{(?!\^?\w+\})|[$@][\w:]+(?:->)?(?:\[(?!-?\$?\w+\])|\{(?!-?\$?\w+\}|'[^']*'\}|"[^"]*"\}))/;
const FURTHER_INDEX = /[\]}](?:->)?[[{](?!-?\$?\w+[\]}])/;
const CODE_IN_PATTERN =
  /\(\?\??p?\{|[$@]\s*\{(?!\^?\w+\})|[$@][A-Za-z_][\w:]*(?:->)?(?:\[(?!-?\$?\w+\])|\{(?![-$]?\w+\}|\d*,\d*\}))|\(\*\{/;

const hasCode = (text: string): boolean =>
  CODE_IN_TEXT.test(text) || (/[$@]\w/.test(text) && FURTHER_INDEX.test(text));

function readQuoted(reader: Reader, kind: string, open: string): undefined {
  const [first, ...others] =
    kind === 's' || kind === 'tr' || kind === 'y' ? readParts(reader, open) : [readPart(reader, open)];
  const [text = ''] = [first];
  const [flags = ''] =
    kind === 'm' || kind === 'qr' || others.length > 0 ? (reader.match(/[a-z]*/y) ?? []) : [];
  reader.at += flags.length;
  const isExact = kind === 'q' || kind === 'qw' || kind === 'tr' || kind === 'y' || open === "'";
  if (/^(?:m|qr|s)$/.test(kind) ? CODE_IN_PATTERN.test(text) : !isExact && hasCode(text)) reader.unclear();
  if (kind !== 's') {
    const isText = !/^(?:m|qr|tr|y)$/.test(kind);
    const plain = isText && (isExact || !/[$@]/.test(text));
    return reader.add(isText ? 'text' : 'pattern', text, plain, kind);
  }
  const [replacement = ''] = others;
  if (/e.*e/.test(flags)) return reader.unclear();
  if (flags.includes('e')) return reader.add('text', replacement, false, 'e');
  if (hasCode(replacement)) return reader.unclear();
  reader.add('pattern', text);
}

function readPart(reader: Reader, open: string): string {
  const close = PAIRS[open] ?? open;
  const start = reader.at + 1;
  let depth = 1;
  for (reader.at = start; reader.at < reader.code.length; reader.at++) {
    const letter = reader.rest;
    if (letter === '\\') reader.at += 1;
    else if (letter === close) depth -= 1;
    else if (letter === open) depth += 1;
    if (depth === 0) return reader.code.slice(start, reader.at++);
  }
  return reader.unclear();
}

function readParts(reader: Reader, open: string): readonly string[] {
  const first = readPart(reader, open);
  if (PAIRS[open] === undefined) {
    reader.at -= 1;
    return [first, readPart(reader, open)];
  }
  const [gap = ''] = reader.match(/\s*/y) ?? [];
  reader.at += gap.length;
  const second = reader.rest ?? '';
  return /[\w\s#]/.test(second) || second === '' ? reader.unclear() : [first, readPart(reader, second)];
}

const MODULES = words(
  'strict warnings utf8 feature integer bigint bignum constant vars List::Util Scalar::Util Data::Dumper JSON JSON::PP JSON::XS Cpanel::JSON::XS Time::HiRes Time::Local Time::Piece MIME::Base64 File::Basename File::Spec File::Find File::Temp Cwd Digest::MD5 Digest::SHA Encode Text::Wrap Text::ParseWords Getopt::Long URI::Escape HTML::Entities POSIX open',
);
const POSIX =
  /^POSIX::(?:strftime|floor|ceil|fmod|pow|mktime|[A-Z]+_(?:MAX|MIN|EPSILON)|isatty|strtol|round|trunc)$/;
const KNOWN = words(
  'print printf say if elsif else unless while until for foreach my our local state next last redo return sub do eval join split map grep sort reverse keys values each exists delete defined undef push pop shift unshift splice length substr index rindex uc lc ucfirst lcfirst sprintf chomp chop chr ord hex oct abs int sqrt sin cos atan2 exp log rand srand time localtime gmtime eof close open scalar wantarray die warn exit and or not xor eq ne lt gt le ge cmp x ref bless pos quotemeta pack unpack vec sleep binmode readline read seek tell getc fileno truncate stat lstat unlink rename mkdir rmdir opendir readdir closedir rewinddir chdir chmod utime glob readlink symlink link umask kill alarm select times lock prototype continue given when default fc __PACKAGE__ __FILE__ __LINE__ ' +
    'decode_json encode_json to_json from_json Dumper basename dirname fileparse getcwd cwd abs_path encode decode sum sum0 max min first any all none uniq shuffle reduce product pairs maxstr minstr floor ceil fmod pow strftime mktime find finddepth md5_hex sha1_hex sha256_hex encode_base64 decode_base64 timelocal timegm catfile usleep gettimeofday tv_interval GetOptions wrap blessed looks_like_number tempfile tempdir uri_escape uri_unescape encode_entities decode_entities true false',
);
const METHODS = words(
  'new decode encode pretty canonical utf8 allow_nonref relaxed indent space_before space_after print printf say close binmode autoflush catfile catdir splitdir curdir tmpdir rel2abs abs2rel strftime epoch ymd hms year mon mday strptime hexdigest add addfile digest Indent Sortkeys Terse Dump getline getlines eof opened latin1 ascii boolean_values',
);
const STARTS = /^(?:system|exec)$/;
const CHANGES = /^(?:open|rename|chmod|symlink|link|chdir|%?\$?ENV|@ENV)$/;
const ENDS = /^(?:;|\}|\)|or|and|if|unless|for|foreach|\|\||&&)$/;

/** Contract: pure. */
export function startedByPerl(code: string): Started {
  const tokens = /\n(?:__END__|__DATA__|=\w)/.test(code) ? undefined : tokenize(code, PERL);
  return tokens && readPerl(tokens);
}

function readPerl(tokens: readonly Token[]): Started {
  const lines = new Lines();
  const named = namesIn(tokens);
  let starts = false;
  for (let at = 0; at < tokens.length && lines.isUnderstood; at++) {
    const token = tokens[at] as Token;
    const next = tokens[at + 1];
    if (isWord(token, 'open') && !isWord(tokens[at - 1], 'use')) {
      const opened = openedBy(tokens, at);
      starts ||= (opened?.length ?? 0) > 0;
      lines.add(opened);
    } else if (token.kind === 'word') {
      const isKey = isSign(next, '=>') || (isSign(tokens[at - 1], '{') && isSign(next, '}'));
      if (isKey || isUnderstoodWord(tokens, at, named)) continue;
      const found = STARTS.test(token.text) ? linesAfter(tokens, at) : undefined;
      starts = true;
      lines.add(found);
    } else if (token.kind === 'text') {
      if (token.opener === 'e') lines.add(startedByPerl(token.text));
      if (token.opener === 'qx') {
        starts = true;
        lines.add(isPlainLine(token) ? [token.text] : undefined);
      }
      // A class by its name.
      if (isSign(next, '->')) lines.add(undefined);
    } else if (token.kind === 'sign' && !isHarmlessSign(tokens, at)) lines.add(undefined);
  }
  const changes =
    starts &&
    tokens.some(
      ({ kind, text }, at) =>
        kind === 'word' && CHANGES.test(text) && (text !== 'open' || openedBy(tokens, at)?.length === 0),
    );
  return changes ? undefined : lines.result;
}

/** The functions that the code defines or imports. */
function namesIn(tokens: readonly Token[]): ReadonlySet<string> {
  const names = new Set<string>();
  tokens.forEach((token, at) => {
    if (isWord(token, 'sub') && isWord(tokens[at + 1])) names.add(tokens[at + 1]?.text ?? '');
  });
  return names;
}

function isUnderstoodWord(tokens: readonly Token[], at: number, named: ReadonlySet<string>): boolean {
  const { text } = tokens[at] as Token;
  const [before, next] = [tokens[at - 1], tokens[at + 1]];
  if (/^[$@%]/.test(text)) return isHarmlessVariable(tokens, at);
  if (isSign(before, '->')) return METHODS.has(text);
  if (isWord(before, 'use') || isWord(before, 'no')) return MODULES.has(text) || /^v5/.test(text);
  if (text === 'use' || text === 'no') return isWord(next) || next?.kind === 'number';
  if (text === 'do' || text === 'eval') return isSign(next, '{');
  if (text === 'sort')
    return !isWord(next) || /^[$@%]|^(?:keys|values|map|grep|reverse|uniq)$/.test(next?.text ?? '');
  if (text.includes('::')) {
    const module = text.replace(/::\w+$/, '');
    return module === 'POSIX' ? POSIX.test(text) : MODULES.has(text) || MODULES.has(module);
  }
  // Files and blocks are in capitals.
  if (/^[A-Z][A-Z\d_]*$/.test(text)) return text !== 'CORE';
  const isFileTest = isSign(before, '-') && /^[a-zA-Z]$/.test(text);
  return isFileTest || KNOWN.has(text) || named.has(text);
}

function isHarmlessVariable(tokens: readonly Token[], at: number): boolean {
  const { text } = tokens[at] as Token;
  const [before, next] = [tokens[at - 1], tokens[at + 1]];
  if (isSign(before, '->')) return text === '@*';
  if (text.includes('::')) return MODULES.has(text.slice(1).replace(/::\w+$/, ''));
  // A name in it may be one of a program: `ls |`.
  if (/^[@$]ARGV$/.test(text)) {
    const isChanged =
      isSign(next, '=') || isWord(before, 'push') || isWord(before, 'unshift') || isWord(before, 'local');
    return !isChanged && !(isSign(next, '[') && isSign(tokens[at + 4], '='));
  }
  return true;
}

/** `&f`, `*f`, `@{"f"}`: names that are put together. */
function isHarmlessSign(tokens: readonly Token[], at: number): boolean {
  const { text } = tokens[at] as Token;
  const [before, next] = [tokens[at - 1], tokens[at + 1]];
  if (text === '&' || text === '*') {
    const isBetween = isOperand(before) && !(isSign(before, '}') && next?.spaced === false);
    return isBetween && (next?.kind !== 'sign' || next.text !== '{');
  }
  if (/^[$@%]$/.test(text)) return !(isSign(next, '{') && tokens[at + 2]?.kind === 'text');
  return !(text === '<<' && (next?.kind === 'text' || (isWord(next) && !isOperand(before))));
}

/** What `system` and `exec` are given. */
function linesAfter(tokens: readonly Token[], at: number): Started {
  if (isSign(tokens[at + 1], '{')) return undefined;
  const isGrouped = isSign(tokens[at + 1], '(');
  let end = at + 1;
  if (isGrouped) end = afterBracket(tokens, at + 1) - 1;
  else
    while (end < tokens.length && !ENDS.test(tokens[end]?.kind === 'text' ? '' : (tokens[end]?.text ?? '')))
      end += 1;
  return linesStarted(tokens.slice(isGrouped ? at + 2 : at + 1, end));
}

/** `open F, "|sort"` starts a program. */
function openedBy(tokens: readonly Token[], at: number): Started {
  const from = isSign(tokens[at + 1], '(') ? at + 2 : at + 1;
  let comma = from;
  while (comma < tokens.length && comma < from + 8 && !isSign(tokens[comma], ',')) comma += 1;
  const [mode, after] = tokens.slice(comma + 1, comma + 3);
  if (mode?.kind !== 'text' || !mode.plain) return undefined;
  if (isSign(after, ',')) return /^\s*\+?[<>]{1,2}\s*(?::[\w():-]+)*\s*$/.test(mode.text) ? [] : undefined;
  const isEnd = after === undefined || ENDS.test(after.text);
  if (!isEnd || !isPlainLine(mode)) return undefined;
  return mode.text.includes('|') ? [mode.text.replace(/^\s*\||\|\s*$/g, '')] : [];
}
