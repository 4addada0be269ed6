/** Which shell lines PHP code starts, if it is understood. */
import { type Language, type Token, tokenize } from './tokens.js';
import { isPlainLine, isSign, isWord, Lines, type Started, startedByCall, words } from './understood.js';

const COMMENT = /(?:\/\/|#(?!\[))[^\n]*|\/\*[\s\S]*?\*\//y;

export const PHP: Language = {
  tokens:
    /(?<gap>[ \t\n]+)|(?<word>\$?[A-Za-z_]\w*)|(?<number>\d[\w.]*|\.\d\w*)|(?<sign>=>|\?->|->|::|\?\?|\.\.\.|&&|\|\||<=>|[!=]==|[-+*/%.&|^<>=!]=|\+\+|--|[-+*/%&|^~<>=!?:;,.()[\]{}$@])/y,
  special(reader) {
    const { rest, code, at } = reader;
    if (code.startsWith('?>', at) || code.startsWith('<<<', at)) return reader.unclear();
    const [gap] = reader.match(COMMENT) ?? [];
    if (gap !== undefined) {
      if (gap.includes('?>')) return reader.unclear();
      reader.skip(gap.length);
    } else if (rest === '"' || rest === "'" || rest === '`') {
      reader.at += 1;
      reader.readText(rest, rest);
      const text = reader.last?.text ?? '';
      // Code in a text: `{$x->f()}`, `${expression}`.
      if (rest !== "'" && /\{\$\w*[^\w}]|\$\{/.test(text)) return reader.unclear();
    } else return false;
    return true;
  },
};

/** Functions that call none that they are given, and words of the language. */
const KNOWN = words(
  'echo print if else elseif while for foreach as switch case break continue default function fn return true false null and or xor isset empty unset list array use const static try catch finally throw match do declare strict_types exit die int string float bool mixed void ' +
    'strlen count sizeof implode explode join str_replace str_repeat str_pad str_contains str_starts_with str_ends_with str_split substr substr_count strpos stripos strrpos strstr strrev strtolower strtoupper ucfirst ucwords lcfirst trim ltrim rtrim nl2br wordwrap sprintf printf vsprintf number_format htmlspecialchars html_entity_decode strip_tags addslashes similar_text levenshtein soundex metaphone mb_strlen mb_substr mb_strtoupper mb_strtolower ' +
    'array_keys array_values array_merge array_sum array_product array_unique array_flip array_reverse array_slice array_splice array_search array_key_exists array_key_first array_key_last array_column array_combine array_fill array_fill_keys array_chunk array_diff array_intersect array_pad array_push array_pop array_shift array_unshift array_rand in_array sort rsort ksort krsort asort arsort shuffle range compact max min abs ceil floor round sqrt pow exp log log10 sin cos tan pi fmod intdiv rand mt_rand random_int random_bytes is_array is_string is_int is_null is_numeric is_bool is_float intval floatval strval boolval gettype settype ' +
    'json_encode json_decode json_last_error json_last_error_msg serialize base64_encode base64_decode md5 sha1 hash crc32 bin2hex hex2bin urlencode urldecode rawurlencode rawurldecode http_build_query parse_url parse_str uniqid password_hash password_verify ' +
    'file_get_contents file_put_contents file fopen fclose fgets fgetcsv fputcsv fread fwrite feof file_exists is_file is_dir filesize filemtime basename dirname realpath pathinfo getcwd scandir glob mkdir rmdir unlink copy rename touch tempnam sys_get_temp_dir readfile stream_get_contents ' +
    'date time mktime strtotime microtime hrtime date_default_timezone_set date_default_timezone_get checkdate usleep sleep var_dump var_export print_r phpversion phpinfo php_uname php_sapi_name php_ini_loaded_file ini_get ini_set extension_loaded get_loaded_extensions error_reporting getenv memory_get_usage memory_get_peak_usage version_compare function_exists class_exists defined constant gethostname ' +
    'preg_match preg_match_all preg_replace preg_split preg_quote preg_grep ctype_digit ctype_alpha new DateTime DateTimeImmutable DateInterval DateTimeZone Exception format modify diff add sub getTimestamp getMessage filter_var iterator_to_array',
);
const STARTS = /^(?:system|exec|shell_exec|passthru|popen|proc_open)$/;
const CHANGES = /^(?:file_put_contents|fwrite|fputs|copy|rename|touch|putenv)$/;

/** Contract: pure. */
export function startedByPhp(code: string): Started {
  const tokens = tokenize(code.replace(/^\s*<\?php\b/, ''), PHP);
  if (tokens === undefined) return undefined;
  const lines = new Lines();
  const own = functionsIn(tokens);
  const judge = (token: Token, at: number): undefined => {
    const [before, next] = [tokens[at - 1], tokens[at + 1]];
    if (token.kind === 'text' && token.opener === '`')
      lines.add(isPlainLine(token) ? [token.text] : undefined);
    // A text, or what a bracket holds, that is called.
    if (
      isSign(token, '(') &&
      (before?.kind === 'text' || /^[)\]}]$|^\$/.test(before?.text ?? '')) &&
      before?.kind !== 'number'
    )
      lines.add(undefined);
    if (isSign(token, '$') || (isSign(token, '[') && before?.kind === 'text')) lines.add(undefined);
    if (token.kind !== 'word' || token.text.startsWith('$')) return;
    if (isSign(next, '::') || isSign(before, '::')) return lines.add(undefined);
    if (STARTS.test(token.text.toLowerCase())) {
      return lines.add(startedByCall(tokens, at + 1));
    }
    if (isWord(before, 'new')) return lines.add(/^(?:Date\w+|Exception)$/.test(token.text) ? [] : undefined);
    const isConstant = /^[A-Z][A-Z\d_]*$/.test(token.text) && !isSign(next, '(');
    const isProperty = isSign(before, '->') && !isSign(next, '(');
    if (!isConstant && !isProperty && !KNOWN.has(token.text) && !own.has(token.text)) lines.add(undefined);
  };
  tokens.forEach(judge);
  const isNewOfVariable = tokens.some((token, at) => isWord(token, 'new') && !isWord(tokens[at + 1]));
  const changes =
    lines.found.length > 0 && tokens.some(({ kind, text }) => kind === 'word' && CHANGES.test(text));
  return changes || isNewOfVariable ? undefined : lines.result;
}

/** `function f() {…}`. */
function functionsIn(tokens: readonly Token[]): ReadonlySet<string> {
  return new Set(tokens.flatMap(({ text }, at) => (isWord(tokens[at - 1], 'function') ? [text] : [])));
}
