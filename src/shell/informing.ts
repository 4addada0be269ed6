/** Programs that are only asked for their version or their help: `node --version`. */

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Programs that answer alone, without running or choosing anything by files of the project, as `cargo` and `yarn` do. */
const ANSWERS: readonly (readonly [option: string, programs: ReadonlySet<string>])[] = [
  [
    '--version',
    words(
      'node nodejs npm npx python python3 pip pip3 ruby gem perl php java javac gcc g++ cc clang clang++ ld make cmake ninja docker git gh curl wget bash zsh sqlite3 psql redis-server redis-cli rg fd fdfind jq deno bun uv vim tar sed gawk grep find tsc esbuild aws rustup',
    ),
  ],
  [
    '--help',
    words(
      'node npm npx python python3 docker gh curl wget rg fd fdfind jq tar sed grep find make ls cat cp mv head tail sort cut wc du df stat split',
    ),
  ],
  ['-v', words('node nodejs npm npx ruby perl php lua make tsc')],
  ['-V', words('python python3 pip pip3 deno ssh tmux')],
  ['-version', words('java ffmpeg')],
  ['version', words('git openssl')],
];

/** Contract: pure; `args` are all words after the program. */
export function onlyInforms(program: string, args: readonly string[]): boolean {
  const [only, ...more] = args;
  return more.length === 0 && ANSWERS.some(([option, programs]) => option === only && programs.has(program));
}
