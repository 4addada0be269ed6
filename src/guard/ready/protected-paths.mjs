// Keeps files as they are: refuses edits, and shell lines that write, move or delete them. Reading stays free.
// This file is yours: change the list.
import { ask, deny, guard, matchRules, readCommands, shellLineOf } from 'hookline/guard';

/** Files and folders, as in permission rules: `*` within a name, `**` across folders. */
const PATHS = [
  // Changed by package managers, not by hand.
  ...[
    '**/package-lock.json',
    '**/yarn.lock',
    '**/pnpm-lock.yaml',
    '**/Cargo.lock',
    '**/poetry.lock',
    '**/uv.lock',
  ],
  // What runs in CI, with its secrets.
  ...['.github/workflows/**', '.gitlab-ci.yml', '.circleci/**', 'Jenkinsfile', 'azure-pipelines.yml'],
  // Migrations that may have run already.
  ...['**/migrations/**'],
  // The history, and the hooks that guard all this.
  ...[
    '.git/**',
    '.husky/**',
    'hookline.*',
    'hooks/**',
    '.hookline/**',
    '.claude/**',
    '.gemini/**',
    '.codex/**',
  ],
];
/** Programs that only read, or whose job it is to change some of these files. */
const FREE =
  /^(|cat|head|tail|less|more|bat|nl|wc|ls|tree|stat|file|grep|egrep|rg|ag|diff|cmp|sort|uniq|cut|jq|yq|awk|echo|printf|test|\[|cd|pwd|sha256sum|md5sum|npm|pnpm|yarn|bun|npx|cargo|poetry|uv|pip|git|gh|hookline)$/;

const RULES = PATHS.map((path) => `Edit(${path})`);
/** How a word of a line names one of them. */
const NAMES = PATHS.map((path) => {
  const name = path.replace(/^\*\*\//, '').replace(/\/?\*\*?$/, '');
  return new RegExp(`(^|[\\s'"=(]|\\./)${name.replaceAll('.', '\\.')}`);
});

await guard((input) => {
  const match = matchRules(RULES, input);
  if (match?.certain) return deny(`${match.reason} It is protected: ask the user to change it.`);
  const line = shellLineOf(input);
  if (line === undefined) return undefined;
  const { commands } = readCommands(line, input.cwd);
  const doubtful = commands.filter(({ program }) => program === undefined || !FREE.test(program));
  const named = doubtful.find(({ args }) => args.some(namesProtected));
  if (named !== undefined) return ask(`\`${named.text}\` may change a protected file.`);
  const isHidden = /[$]\(|`|eval|base64|xxd/.test(line) || (doubtful.length > 0 && namesProtected(line));
  return match !== undefined && isHidden ? ask(match.reason) : undefined;
});

function namesProtected(text) {
  return NAMES.some((name) => name.test(text));
}
