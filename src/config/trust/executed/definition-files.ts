/**
 * Files in which a tool finds what to run without being told: its tasks, its configuration, its plugins. One table: a tool
 * is covered with all of these files that exist, and a file that appears later counts too.
 */
import { basename, join } from 'node:path';
import { braceExpand } from 'minimatch';
import { isKnownProgram } from '../../../shell/effects.js';
import type { ShellWord } from '../../../shell/read-line.js';
import type { Run } from './commands.js';
import type { ExecutedFiles } from './executed-files.js';
import { addModulesOfJq, followClassPath } from './libraries.js';
import { readOperands, valuesOf } from './operands.js';
import { readManifest } from './packages.js';
import { isFile, matchesOf, readText, upwards } from './places.js';
import { addModule } from './python-modules.js';

const JS = '.{js,mjs,cjs,ts,mts,cts,json}';
const PYTHON = 'pyproject.toml setup.cfg';
const GRADLE = 'build.gradle* settings.gradle* gradle.properties init.gradle* gradle/wrapper/*';
const TERRAFORM = '*.tf *.tf.json *.tfvars terragrunt.hcl .terraformrc';
const CARGO = 'Cargo.toml build.rs .cargo/config .cargo/config.toml rust-toolchain rust-toolchain.toml';
const DOTNET = '*.csproj *.fsproj *.vbproj *.sln *.props *.targets global.json nuget.config';
const ELIXIR = 'mix.exs .formatter.exs config/*.exs';

/** Tools, and the files by their names: wildcards may stand in them. */
const TABLE: readonly (readonly [tools: string, files: string])[] = [
  [
    'mise rtx',
    'mise.toml .mise.toml mise.*.toml .mise/config.toml .tool-versions mise-tasks/* .mise-tasks/* mise/tasks/* .mise/tasks/*',
  ],
  ['hatch', 'pyproject.toml hatch.toml hatch_build.py'],
  ['uv poetry pdm rye pipenv pipx', `${PYTHON} setup.py uv.toml Pipfile`],
  ['pixi', 'pixi.toml pyproject.toml'],
  ['pytest py.test', `${PYTHON} pytest.ini tox.ini conftest.py */conftest.py`],
  ['tox nox', `${PYTHON} tox.ini noxfile.py`],
  ['invoke inv fab doit pyinvoke', 'tasks.py fabfile.py dodo.py invoke.y*ml pyproject.toml'],
  ['snakemake', 'Snakefile workflow/Snakefile'],
  ['scons waf', 'SConstruct SConscript wscript'],
  ['pants', 'pants.toml BUILD'],
  ['mypy pylint flake8', `${PYTHON} mypy.ini .pylintrc pylintrc .flake8 tox.ini`],
  ['bundle bundler', 'Gemfile gems.rb .bundle/config'],
  ['rails', 'Gemfile bin/rails config/*.rb config/environments/*.rb config/initializers/*.rb Rakefile'],
  [
    'rake rspec rubocop standardrb danger fastlane cucumber',
    'Gemfile Rakefile .rspec .rubocop.yml .standard.yml spec/spec_helper.rb spec/rails_helper.rb Dangerfile fastlane/Fastfile',
  ],
  ['gradle gradlew', GRADLE],
  ['mvn mvnw', 'pom.xml .mvn/*'],
  ['ant', 'build.xml build.properties'],
  ['sbt', 'build.sbt project/*.sbt project/*.scala project/build.properties .sbtopts'],
  ['lein clj clojure bb', 'project.clj deps.edn bb.edn'],
  ['cargo', CARGO],
  ['go', 'go.mod go.work'],
  ['dotnet msbuild', DOTNET],
  ['swift', 'Package.swift'],
  ['zig', 'build.zig build.zig.zon'],
  ['stack cabal', 'stack.yaml package.yaml *.cabal cabal.project Setup.hs'],
  ['mix', ELIXIR],
  ['rebar3', 'rebar.config rebar.config.script'],
  ['dart flutter', 'pubspec.yaml build.yaml'],
  ['crystal shards nimble dune opam', 'shard.yml *.nimble dune dune-project'],
  ['cmake ctest', 'CMakeLists.txt CMakePresets.json *.cmake'],
  ['ninja meson', 'build.ninja meson.build'],
  ['bazel bazelisk buck2', '.bazelrc BUILD BUILD.bazel WORKSPACE MODULE.bazel .buckconfig BUCK'],
  ['composer phpunit pest psalm phpstan', 'composer.json phpunit.xml* psalm.xml* phpstan.neon*'],
  ['symfony artisan', 'composer.json bin/console artisan'],
  ['deno', 'deno.json deno.jsonc package.json'],
  ['turbo', 'turbo.json package.json'],
  ['nx', 'nx.json project.json package.json workspace.json'],
  ['lerna rush moon wireit', 'lerna.json rush.json .moon/*.yml moon.yml package.json'],
  ['lint-staged', `.lintstagedrc* lint-staged.config${JS} package.json`],
  ['pre-commit', '.pre-commit-config.yaml'],
  ['lefthook', 'lefthook*.y*ml .lefthook*.y*ml lefthook.toml lefthook.json'],
  ['husky', '.husky/* package.json'],
  ['direnv', '.envrc .env'],
  ['nix nix-shell nix-build devbox', 'flake.nix flake.lock shell.nix default.nix devbox.json'],
  ['earthly', 'Earthfile'],
  ['act', '.github/workflows/* .actrc'],
  ['vagrant', 'Vagrantfile'],
  ['ansible ansible-playbook', 'ansible.cfg hosts inventory* *_plugins/* library/*'],
  ['terraform tofu terragrunt', TERRAFORM],
  [
    'packer pulumi cdk serverless sam skaffold tilt helmfile',
    '*.pkr.hcl Pulumi*.yaml cdk.json serverless.y*ml template.y*ml samconfig.toml skaffold.yaml Tiltfile helmfile.y*ml',
  ],
  ['foreman overmind honcho', 'Procfile* .foreman .overmind.env .env'],
  ['just task', 'justfile .justfile Justfile *.just .env Taskfile*.y*ml taskfile*.y*ml'],
  ['jest', `jest.config${JS} jest.setup* babel.config${JS} .babelrc*`],
  ['vitest vite', `vitest.config${JS} vite.config${JS} vitest.workspace${JS} vitest.setup*`],
  ['mocha', '.mocharc*'],
  ['playwright cypress wdio ava', `{playwright,cypress,wdio,ava}*.config${JS}`],
  ['karma jasmine tap', `karma.conf${JS} .taprc`],
  ['eslint', `eslint.config${JS} .eslintrc*`],
  ['prettier', `prettier.config${JS} .prettierrc*`],
  ['stylelint commitlint', `{stylelint,commitlint}.config${JS} .stylelintrc* .commitlintrc*`],
  ['biome oxlint xo standard', 'biome.json* .oxlintrc.json'],
  [
    'webpack rollup babel postcss tailwindcss esbuild',
    `{webpack,rollup,babel,postcss,tailwind}*.config${JS} .babelrc* .postcssrc*`,
  ],
  [
    'next ng nuxt svelte-check astro gulp grunt',
    `{next,nuxt,svelte,astro}.config${JS} angular.json gulpfile* Gruntfile*`,
  ],
  [
    'semantic-release changeset release-it',
    `release.config${JS} .releaserc* .changeset/config.json package.json`,
  ],
  ['vim vi ex view nvim', '.exrc .vimrc .nvimrc .nvim.lua'],
  ['gdb lldb', '.gdbinit .lldbinit'],
  ['golangci-lint', '.golangci.*'],
  ['kustomize', 'kustomization.y*ml'],
];
const FILES: ReadonlyMap<string, string> = new Map(
  TABLE.flatMap(([tools, files]) => tools.split(' ').map((tool) => [tool, files] as const)),
);

function filesOf(tool: string): readonly string[] {
  const names = FILES.get(tool)?.split(' ') ?? [];
  return names.flatMap((name) => braceExpand(name));
}

/** Of the manifest, only what tools run counts. */
const IN_MANIFEST = 'scripts lint-staged husky wireit release'.split(' ');

const JAVA = /^(?:java|kotlin|scala|groovy|jshell)$/;
const CLASS_PATH = ['-cp', '-classpath', '--class-path', '-p', '--module-path'];
/** Their tools are among their words: `npx jest`, `python3 -m pytest`, `poetry run rake`. */
const MAX_WORDS = 6;

/** Contract: adds only files that exist and are ours, and their folders. */
export function followDefinitions(run: Run, executed: ExecutedFiles): void {
  if (/^(?:go|ja)?jq$/.test(run.program)) addModulesOfJq(run, executed);
  if (JAVA.test(run.program))
    for (const { value = '' } of valuesOf(readOperands(run.args, CLASS_PATH), CLASS_PATH))
      followClassPath(value, run.folders, executed);
  const isLeaf =
    isKnownProgram(run.program) && !/^(?:python3?|node|ruby|vim?|view|nvim|ex)$/.test(run.program);
  const words = isLeaf ? [] : run.args.slice(0, MAX_WORDS).map(({ value = '' }) => basename(value));
  const tools = [...new Set([run.program, ...words])];
  const names = [...new Set(tools.flatMap(filesOf))];
  if (names.length === 0) return;
  for (const folder of (run.folders ?? []).flatMap(upwards).filter((each) => executed.isOurs(each))) {
    for (const name of names) {
      if (name.includes('/'))
        executed.folders.add(join(folder, name.slice(0, name.lastIndexOf('/')).replace(/^\*$/, '.')));
      for (const file of matchesOf(folder, name) ?? tooMany(name, executed)) addDefinition(file, executed);
    }
    executed.folders.add(folder);
  }
  if (tools.some((tool) => PYTHON_RUNNERS.has(tool))) followEntryPoints(run.args, run, executed);
}

function tooMany(name: string, executed: ExecutedFiles): readonly string[] {
  executed.fail(`Too many files match \`${name}\``);
  return [];
}

function addDefinition(file: string, executed: ExecutedFiles): void {
  if (basename(file) !== 'package.json') executed.add(file, { needed: false, program: false });
  else {
    const manifest = readManifest(file);
    for (const key of IN_MANIFEST) executed.addPart(file, key, manifest?.[key]);
  }
}

const PYTHON_RUNNERS = new Set('uv poetry pdm hatch rye pixi pipenv'.split(' '));

/** `uv run name`: `name = "package.module:function"` in `pyproject.toml`. */
function followEntryPoints(args: readonly ShellWord[], { folders = [] }: Run, executed: ExecutedFiles): void {
  for (const folder of folders.flatMap(upwards).filter((each) => executed.isOurs(each))) {
    const text = isFile(join(folder, 'pyproject.toml'))
      ? (readText(join(folder, 'pyproject.toml')) ?? '')
      : '';
    for (const [, name = '', module = ''] of text.matchAll(
      /^\s*["']?([\w.-]+)["']?\s*=\s*["']([\w.]+):[\w.]+["']/gm,
    ))
      if (args.some(({ value }) => value === name))
        addModule(module, [folder, join(folder, 'src')], executed);
  }
}
