/**
 * Files that a tool finds because they are named after it: `x.config.ts`, `.xrc`, `xfile`, `.x/config.yml`. Tools that are
 * in no table keep their tasks, plugins and settings there.
 */
import { basename, join } from 'node:path';
import { BUILTIN_NAMES } from '../../../shell/builtin-names.js';
import { checksFiles } from '../../../shell/checking-programs.js';
import { isKnownProgram } from '../../../shell/effects.js';
import { interpreterOf } from '../../../shell/interpreters.js';
import type { Run } from './commands.js';
import { isData } from './kinds-of-files.js';
import { isFile, namesIn } from './places.js';

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** They start the tool that is among their words. */
const STARTS_TOOLS = list(
  'npx npm pnpm yarn bun bunx uv uvx poetry pdm hatch rye pipx pipenv bundle corepack mise',
);
/** What they build is not covered. */
const CONTAINERS = list('docker podman nerdctl buildah');
/** Of these words no tool is named, or too many files are. */
const NO_STEMS = list(
  'run exec dlx tool add all app api bin build check ci cli client code core data dev doc docs file files fix fmt format go help http info init install json kit lib lint list log logs main new node notify package plugin project report scan send server service set show src start status sync task tasks test tests text tool tools update version watch web',
);
const CODE = '(?:[cm]?[jt]sx?|py|rb|lua|php|exs|kts|groovy|sh|pl|el|rego)';
const SETTINGS = `(?:${CODE}|cfg|ini|conf|toml|ya?ml|kdl|hcl|xml|properties|rules)`;
const MAX_WORDS = 3;
/** The name of a tool, not of a script or a folder: `tool`, `tool@2`, `@scope/tool`. */
const TOOL = /^(?:@[\w.-]+\/)?(?!.*\.(?:[cm]?[jt]sx?|py|sh|rb|pl)$)[a-zA-Z][\w.-]*(?:@[\w.^~-]+)?$/;

/** The files in a folder; undefined if the program is not one that could have any. Contract: pure but for the folder. */
export function settingsOf({
  program,
  args,
  command,
}: Run): ((folder: string) => readonly string[]) | undefined {
  const words = args.flatMap(({ value = '' }) => (TOOL.test(value) ? [value] : []));
  const named = STARTS_TOOLS.has(program)
    ? words.slice(0, MAX_WORDS).map((word) => basename(word).replace(/@.*$/, ''))
    : [];
  const own = isInstalled(command.words[0]?.value ?? '') ? [program] : [];
  const tools = [...own, ...named].filter(
    (tool) =>
      !isKnownProgram(tool) &&
      !BUILTIN_NAMES.has(tool) &&
      !CONTAINERS.has(tool) &&
      interpreterOf(tool) === undefined,
  );
  const patterns = tools.flatMap(patternsOf);
  if (patterns.length === 0) return undefined;
  const values = args.map(({ value = '' }) => value);
  // Programs that check files mostly have settings that run nothing.
  const onlyCode = checksFiles(program, values);
  const isOwn = (name: string): boolean =>
    patterns.some((pattern) => pattern.test(name)) && (onlyCode ? IS_CODE.test(name) : isSettings(name));
  const folders = tools.flatMap(stemsOf).flatMap((stem) => [`.${stem}`, `.config/${stem}`]);
  return (folder) => {
    const direct = namesIn(folder).filter(isOwn);
    const inside = folders.flatMap((each) =>
      namesIn(join(folder, each)).flatMap((name) => (IN_FOLDER.test(name) ? [`${each}/${name}`] : [])),
    );
    const nested = namesIn(join(folder, '.config')).flatMap((name) =>
      isOwn(name) ? [`.config/${name}`] : [],
    );
    return [...direct, ...inside, ...nested].map((name) => join(folder, name)).filter(isFile);
  };
}

/** Not a script of the project, whose name says nothing about what it finds. */
function isInstalled(name: string): boolean {
  return !name.includes('/') || /(?:^|\/)(?:node_modules|\.venv|venv|usr)\//.test(name);
}

const IS_CODE = new RegExp(`\\.${CODE}$`, 'i');
const IN_FOLDER = new RegExp(`^(?:config|main|index|settings|tasks?)(?:\\.${SETTINGS}|\\.json)?$`, 'i');

/** Data are not settings, but for JSON. */
function isSettings(name: string): boolean {
  return !isData(name) || /\.(?:json[c5]?|xml)$/i.test(name);
}

function stemsOf(tool: string): readonly string[] {
  const whole = tool.toLowerCase().replace(/\.\w+$/, '');
  const parts = whole.split(/[-_]/).filter((part) => part.length > 2);
  return [...new Set([whole, ...parts])].filter((stem) => stem.length > 1 && !NO_STEMS.has(stem));
}

function patternsOf(tool: string): readonly RegExp[] {
  const [whole] = stemsOf(tool);
  return stemsOf(tool).flatMap((stem) => {
    const name = stem.replaceAll(/[^\w]/g, '\\$&');
    const forms = [
      `\\.?${name}[-._]?(?:config|conf|rc|file|setup|project|workspace|settings)(?:\\.\\w+)*`,
      `\\.${name}(?:\\.(?:${SETTINGS}|json))?`,
      `${name}\\.${CODE}`,
      ...(stem === whole ? [`${name}(?:\\.gen)?\\.${SETTINGS}`] : []),
    ];
    return forms.map((form) => new RegExp(`^(?:${form})$`, 'i'));
  });
}
