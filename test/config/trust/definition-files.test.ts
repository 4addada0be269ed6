/** Files in which a tool finds what to run without being told. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { trustTest } from './support.js';

/** An agent that edits the file changes what the approved hook does. */
const FOUND: readonly (readonly [command: string, file: string, content?: string])[] = [
  ['mise run guard', 'mise.toml'],
  ['mise run guard', '.mise/tasks/guard'],
  ['mise exec -- guard', '.tool-versions'],
  ['hatch run guard', 'hatch.toml'],
  ['uv run guard', 'pyproject.toml'],
  ['uv run guard', 'src/tools/guard.py'],
  ['poetry run pytest', 'conftest.py'],
  ['pytest -q', 'pytest.ini'],
  ['pytest -q', 'tests/conftest.py'],
  ['python3 -m pytest', 'setup.cfg'],
  ['pixi run guard', 'pixi.toml'],
  ['tox -e guard', 'noxfile.py'],
  ['bundle exec guard', 'Gemfile'],
  ['rspec', 'spec/spec_helper.rb'],
  ['rails runner 1', 'config/application.rb'],
  ['gradle check', 'settings.gradle'],
  ['ant guard', 'build.xml'],
  ['sbt guard', 'project/plugins.sbt'],
  ['lein run', 'project.clj'],
  ['cargo xtask guard', '.cargo/config.toml'],
  ['cargo test', 'build.rs'],
  ['go generate ./...', 'go.mod'],
  ['dotnet run', 'guard.csproj'],
  ['dotnet script guard.csx', 'guard.csx'],
  ['mix guard', 'mix.exs'],
  ['cmake --build build', 'CMakeLists.txt'],
  ['ninja guard', 'build.ninja'],
  ['bazel run //guard', 'BUILD'],
  ['composer guard', 'composer.json'],
  ['deno task guard', 'deno.jsonc'],
  ['turbo run lint', 'turbo.json'],
  ['turbo run lint', 'package.json', '{"scripts":{"lint":"x"}}'],
  ['nx run lint', 'project.json'],
  ['npx lint-staged', 'package.json', '{"lint-staged":{"*":"x"}}'],
  ['pre-commit', '.pre-commit-config.yaml'],
  ['lefthook run pre-commit', 'lefthook-local.yml'],
  ['direnv exec . guard', '.envrc'],
  ['nix run .#guard', 'flake.nix'],
  ['nix-shell --run guard', 'shell.nix'],
  ['vagrant up', 'Vagrantfile'],
  ['ansible all -m ping', 'ansible.cfg'],
  ['terraform plan', 'main.tf'],
  ['jest', 'jest.config.js'],
  ['npx jest', 'babel.config.cjs'],
  ['npx vitest run', 'vitest.config.ts'],
  ['pnpm exec eslint .', 'eslint.config.mjs'],
  ['prettier --check .', '.prettierrc.json'],
  ['cd sub && eslint .', '.eslintrc.js'],
  ['vim -es a.txt', '.exrc'],
  ['gdb -batch a.out', '.gdbinit'],
  ['jq -L jqlib \'import "x" as x; .\'', 'jqlib/x.jq'],
  ['RUBYLIB=rblib ruby main.rb', 'rblib/json.rb'],
  ['PERL5LIB=pmlib perl main.pl', 'pmlib/strict.pm'],
];

trustTest('TR-3 an edited file that a tool finds on its own ends the trust', async ({ trust }) => {
  const { store, workspace } = trust;
  for (const script of [
    'build.gradle',
    'lefthook.yml',
    'main.rb',
    'main.pl',
    'sub/x',
    'jqlib/y',
    'rblib/y',
    'pmlib/y',
  ])
    trust.write(script, '');
  trust.write('package.json', '{}');
  trust.write('pyproject.toml', '[project.scripts]\nguard = "tools.guard:main"\n');
  for (const [command, file, content] of FOUND) {
    if (file !== 'pyproject.toml') trust.write(file, '{}\n');
    const hook = trust.hook(command);
    await store.approve(workspace, [hook]);
    expect(await store.status(workspace, [hook]), command).toEqual(['trusted']);
    writeFileSync(join(workspace, file), content ?? '{ "changed": true }\n');
    expect(await store.status(workspace, [hook]), `${command}: ${file}`).toEqual(['modified']);
    if (file === 'pyproject.toml')
      trust.write('pyproject.toml', '[project.scripts]\nguard = "tools.guard:main"\n');
  }
});

trustTest('TR-5 so does one that appears', async ({ trust }) => {
  const { store, workspace } = trust;
  trust.write('sub/x', '');
  for (const [command, file] of [
    ['pytest', 'conftest.py'],
    ['pytest', 'sub/conftest.py'],
    ['mise run guard', '.mise/tasks/guard'],
    ['npx jest', 'jest.config.cjs'],
    ['cd sub && eslint .', 'eslint.config.js'],
    ['cargo test', '.cargo/config.toml'],
  ] as const) {
    const hook = trust.hook(command);
    await store.approve(workspace, [hook]);
    expect(await store.status(workspace, [hook]), command).toEqual(['trusted']);
    trust.write(file, 'x\n');
    expect(await store.status(workspace, [hook]), `${command}: ${file}`).toEqual(['modified']);
  }
});

trustTest('TR-21 classes in a folder cannot be approved', async ({ trust }) => {
  trust.write('classes/Guard.class', 'x');
  for (const command of [
    'java -cp classes Guard',
    'java -cp lib.jar:classes Guard',
    "java -cp 'classes/*' Guard",
    'CLASSPATH=classes java Guard',
  ])
    await expect(trust.store.approve(trust.workspace, [trust.hook(command)]), command).rejects.toMatchObject({
      code: 'hook_unresolved',
    });
  await trust.store.approve(trust.workspace, [trust.hook('java -cp /usr/share/java Guard')]);
});
