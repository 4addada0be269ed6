/** Which shell lines Ruby code starts, if it is understood. */
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

const PAIRS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };
const BEFORE_PATTERN = words(
  'if elsif unless while until and or not when in return puts print p then do split scan match gsub sub grep =~',
);

export const RUBY: Language = {
  tokens:
    /(?<gap>[ \t\n]+|\\\n|#[^\n]*)|(?<word>[@$]{0,2}[A-Za-z_]\w*[?!]?(?!=[^=>~])|[@$]{0,2}[A-Za-z_]\w*|\$[\d/,;.<>_~!&*:?]|\$-\w)|(?<number>\d[\w.]*\w|\d)|(?<sign>\.\.\.?|&\.|::|=>|->|<=>|===?|=~|!~|&&|\|\||<<|>>|\*\*|[-+*/%&|^<>!]=|[-+*/%&|^~<>=!?:;,.()[\]{}])/y,
  special(reader) {
    const { rest = '', last } = reader;
    if (/["'`]/.test(rest)) {
      reader.at += 1;
      reader.readText(rest, rest, rest === "'" ? undefined : '#{');
      doubtInserted(reader);
    } else if (rest === '/') {
      if (isOperand(last)) return false;
      if (isWord(last) && !BEFORE_PATTERN.has(last?.text ?? '')) return reader.unclear();
      reader.at += 1;
      reader.readText('/', '/', '#{');
    } else if (rest === '%' && !isOperand(last)) readPercent(reader);
    else if (
      rest === '<' &&
      /^<<[-~"'`A-Z]/.test(reader.code.slice(reader.at, reader.at + 3)) &&
      !isNumberOrClosed(last)
    )
      return reader.unclear();
    else if (rest === '?' && !isOperand(last)) return reader.unclear();
    else return false;
    return true;
  },
};

/** `"#@x"` fills something in too. */
function doubtInserted(reader: Reader): undefined {
  if (reader.last?.kind === 'text' && /#[@$]/.test(reader.last.text)) return reader.unclear();
}

function isNumberOrClosed(last: Token | undefined): boolean {
  return last?.kind === 'number' || isSign(last, ')') || isSign(last, ']');
}

/** A word may be a method whose argument begins here; it is one that is assigned, or the sign stands between blanks. */
function isOperand(last: Token | undefined): boolean {
  if (last?.kind === 'word') return !BEFORE_PATTERN.has(last.text);
  return last !== undefined && (last.kind !== 'sign' || /^[)\]}]$|^\}\$$/.test(last.text));
}

/** `%w[a b]`, `%q(x)`, `%x(ls)`. */
function readPercent(reader: Reader): undefined {
  const [found, kind = '', open = ''] = reader.match(/%([qQwWiIxr]?)([^\w\s])/y) ?? [];
  if (found === undefined) return reader.unclear();
  reader.at += found.length;
  const close = PAIRS[open] ?? open;
  const end = reader.code.indexOf(close, reader.at);
  const text = reader.code.slice(reader.at, end);
  if (end < 0 || text.includes(open) || /[\\#]/.test(text)) return reader.unclear();
  reader.add('text', text, true, kind === 'x' ? '`' : kind);
  reader.at = end + 1;
}

const LIBRARIES = words(
  'json yaml csv set date time pp digest digest/sha1 digest/md5 digest/sha2 securerandom uri fileutils pathname bigdecimal net/http open-uri stringio base64 tempfile ostruct optparse benchmark zlib cgi English strscan tsort prime matrix socket timeout',
);
const CONSTANTS = words(
  'JSON CSV Set Date Time DateTime File Dir Math Integer Float String Array Hash ENV ARGV ARGF STDIN STDOUT STDERR Struct Range Regexp Rational Complex FileUtils Pathname URI Net HTTP Digest SHA1 SHA256 SHA512 MD5 SecureRandom Base64 Random StringIO RUBY_VERSION RUBY_PLATFORM RUBY_ENGINE RUBY_PATCHLEVEL Comparable Enumerable Numeric BigDecimal OpenStruct StandardError ArgumentError RuntimeError PI E INFINITY NAN MAX EPSILON Version Encoding UTF_8 Symbol NilClass TrueClass FalseClass Proc Benchmark Zlib Tempfile ExtendedExist EXTENDED IGNORECASE MULTILINE DATA YAML Psych SEPARATOR BEGIN END',
);
const KNOWN = words(
  'puts print p pp printf sprintf format if elsif else unless while until for in do end begin rescue ensure def class module return next break redo case when then and or not nil true false self yield super raise loop require lambda proc attr_accessor attr_reader attr_writer include initialize exit abort sleep rand srand gets readline readlines warn catch throw defined? block_given? freeze private public alias undef retry ' +
    'map each select reject inject reduce sum min max min_by max_by sort sort_by group_by uniq flatten compact first last take drop take_while drop_while zip each_with_index each_with_object each_slice each_cons each_line each_char chars bytes lines split strip lstrip rstrip chomp chop chomp! strip! upcase downcase capitalize swapcase gsub gsub! sub sub! tr delete squeeze count size length index rindex include? start_with? end_with? empty? any? all? none? one? nil? zero? positive? negative? even? odd? to_s to_i to_f to_a to_h to_sym to_r to_c to_json to_yaml inspect join reverse rotate shuffle sample push pop shift unshift append prepend concat insert keys values key? has_key? value? fetch dig merge merge! update store delete_if keep_if transform_values transform_keys filter filter_map flat_map find detect find_index partition tally times upto downto step abs ceil floor round truncate divmod gcd lcm pow digits fdiv succ pred ord chr hex oct scan match match? slice ljust rjust center unpack pack unpack1 encode force_encoding unicode_normalize valid_encoding? dup clone tap then is_a? kind_of? respond_to? instance_of? hash eql? equal? object_id new now today at parse strftime iso8601 mktime local utc year month day hour minute sec wday yday to_date to_time read readlines write foreach exist? exists? file? directory? basename dirname extname expand_path absolute_path size mtime atime ctime stat readable? writable? executable? join glob children entries mkdir mkdir_p rm rm_rf rm_f cp cp_r mv touch rmdir unlink rename generate pretty_generate dump load_file safe_load hexdigest base64digest hex uuid random_number alphanumeric encode64 decode64 strict_encode64 strict_decode64 urlsafe_encode64 get get_response body code host path query port scheme string close each_byte each_entry sqrt sin cos tan atan log log2 log10 exp hypot cbrt column rows headers table row call curry lazy with_index with_object cycle combination permutation product transpose assoc compare_by_identity default sum minmax ancestors class name message backtrace values_at none chunk_while slice_when each_entry getc sync sync= flush stdin stdout pwd home tmpdir release current_version version escape unescape encode_www_form decode_www_form measure realtime deep_dup between? clamp casecmp casecmp? insert hash succ next prev_day next_day prev_month next_month saturday? sunday? monday? bit_length lines key to_set add member? superset? subset? intersect? union difference intersection group first? replace clear',
);
/** Methods that call another one by its name: a class may have one of that name, but so do others. */
const REFLECTS = /send|eval|exec|system|spawn|popen|method|const_get|binding|open|load|proc|fork|require/;
/** They start a program. */
const STARTS = words('system exec spawn');
const CHANGES = /^(?:write|rename|cp|cp_r|mv|ENV|dump|chdir)$/;

/** Contract: pure. */
export function startedByRuby(code: string): Started {
  const tokens = /^=begin|^__END__$/m.test(code) ? undefined : tokenize(code, RUBY);
  if (tokens === undefined) return undefined;
  const lines = new Lines();
  const own = namesBound(tokens);
  const judge = (token: Token, at: number): undefined => {
    const [before, next] = [tokens[at - 1], tokens[at + 1]];
    if (token.kind === 'text' && token.opener === '`')
      lines.add(isPlainLine(token) ? [token.text] : undefined);
    // `map(&x)` and `inject(x)` call a method by its name.
    const isPassed =
      isSign(token, '&') && !(before?.kind === 'word' || isSign(before, ')') || isSign(before, ']'));
    if (isPassed && !(isSign(next, ':') && isWord(tokens[at + 2]))) lines.add(undefined);
    if (
      isWord(token) &&
      /^(?:inject|reduce|sum)$/.test(token.text) &&
      isSign(next, '(') &&
      !isNamed(tokens, at + 1)
    )
      lines.add(undefined);
    if (token.kind !== 'word') return;
    const isMember = isSign(before, '.') || isSign(before, '&.');
    if (!isMember && STARTS.has(token.text)) return lines.add(linesAfter(tokens, at));
    if (!isMember && token.text === 'require')
      return lines.add(isLibrary(next) || isLibrary(tokens[at + 2]) ? [] : undefined);
    // `open("|ls")` starts a program, `YAML.load` makes objects of any class.
    if (token.text === 'open' || token.text === 'load') {
      const isFile = isMember && /^(?:File|JSON)$/.test(tokens[at - 2]?.text ?? '');
      return lines.add(isFile ? [] : undefined);
    }
    const isKey = isSign(next, ':') && !next?.spaced;
    const isCalled =
      isSign(next, '(') ||
      isSign(next, '::') ||
      (next?.spaced && !next.first && /^(?:text|number)$/.test(next.kind));
    const isOwn = (!isMember && !isCalled && own.variables.has(token.text)) || own.methods.has(token.text);
    if (!isKey && !isOwn && !isKnown(token.text)) lines.add(undefined);
  };
  tokens.forEach(judge);
  const changes =
    lines.found.length > 0 && tokens.some(({ kind, text }) => kind === 'word' && CHANGES.test(text));
  return changes ? undefined : lines.result;
}

const isLibrary = (token: Token | undefined): boolean =>
  token?.kind === 'text' && token.plain && LIBRARIES.has(token.text);

/** `inject(:+)`, `inject(0, :+)`. */
function isNamed(tokens: readonly Token[], open: number): boolean {
  const args = tokens.slice(open + 1, afterBracket(tokens, open) - 1);
  return args.every(
    (token, at) => token.kind === 'number' || token.kind === 'sign' || isSign(args[at - 1], ':'),
  );
}

function isKnown(name: string): boolean {
  if (/^[@$]/.test(name)) return name !== '$0' && !/^\$(?:LOAD_PATH|LOADED_FEATURES|:)$/.test(name);
  return CONSTANTS.has(name) || KNOWN.has(name) || KNOWN.has(name.replace(/[?!]$/, ''));
}

/** Variables, parameters and methods of the code itself. */
function namesBound(tokens: readonly Token[]): Record<'variables' | 'methods', ReadonlySet<string>> {
  const variables = new Set<string>();
  const methods = new Set<string>();
  tokens.forEach((token, at) => {
    if (token.kind !== 'word') return;
    const [before, next] = [tokens[at - 1], tokens[at + 1]];
    const isMember = isSign(before, '.') || isSign(before, '&.');
    const isAssigned =
      !isMember && /^(?:=|[-+*/|&]=|\|\||<<)$/.test(next?.text ?? '') && next?.kind === 'sign';
    const isParameter =
      isSign(before, '|') ||
      (isSign(before, ',') && /^[,|)]$/.test(next?.text ?? '')) ||
      (isSign(before, '(') && /^[,)]$/.test(next?.text ?? ''));
    if (isAssigned || isParameter || isWord(before, 'for')) variables.add(token.text);
    const isDefined = isWord(before, 'def') || isWord(before, 'class') || isWord(before, 'module');
    if (isDefined && !REFLECTS.test(token.text)) methods.add(token.text);
  });
  return { variables, methods };
}

/** What `system` is given. */
function linesAfter(tokens: readonly Token[], at: number): Started {
  const isGrouped = isSign(tokens[at + 1], '(');
  let end = at + 1;
  if (isGrouped) end = afterBracket(tokens, at + 1) - 1;
  else
    while (
      end < tokens.length &&
      !(
        tokens[end]?.kind !== 'text' &&
        (/^(?:;|\}|\)|if|unless|and|or|end|\|\||&&)$/.test(tokens[end]?.text ?? '') || tokens[end]?.first)
      )
    )
      end += 1;
  return linesStarted(tokens.slice(isGrouped ? at + 2 : at + 1, end));
}
