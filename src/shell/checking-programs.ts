/** Programs whose operands are files that they check, format, compile, show or send, and do not run. */

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Their operands are the files that they check, format or compile. */
const CHECKS = list(
  'eslint prettier biome oxlint dprint tsc vue-tsc ruff black mypy pyright pylint flake8 isort yapf bandit shellcheck shfmt stylelint markdownlint rubocop gofmt goimports golangci-lint rustfmt clang-format clang-tidy cppcheck hadolint yamllint actionlint codespell typos standard xo jshint htmlhint php-cs-fixer phpstan ktlint swiftformat swiftlint taplo sqlfluff lint-staged vitest jest mocha playwright rspec pytest py.test nose2 py_compile compileall json.tool gcc g++ cc c++ clang clang++ rustc javac ocamlc ocamlopt protoc esbuild swc autoflake autopep8 pyupgrade vulture radon semgrep luacheck stylua htmlhint vale cspell knip madge phpcs phpcbf buf checkov svelte-check wc cloc tokei scc ctags eslint_d typedoc tabnanny ast tokenize dis pydocstyle nbstripout gofumpt gci csharpier checkstyle detekt standardrb reek bashate checkbashisms kubeconform kubeval alejandra ormolu fourmolu solhint slither toml-sort tomlq pickletools symtable delta difft dot mustache wakatime wakatime-cli xh',
);
/** They show or send their operands. */
const SENDS = list(
  'code cursor open xdg-open subl zed start gh glab aws gsutil gcloud az heroku vercel netlify',
);
/** The same by their names or their first word: `mix format x.ex`, `terraform fmt`, `xyz-lint`. */
const FORMATS =
  /(?:^|[-_])(?:fmt|format|lint|check|vet|tidy|style|typecheck|analy[sz]e)(?:ter|er)?$|(?:lint|fmt|format|fixer|critic|cop)$/;

/** Whether the program itself is one of these, whatever its words are. Contract: pure. */
export function isChecker(program: string): boolean {
  return CHECKS.has(program) || SENDS.has(program);
}

/**
 * Whether the program, or what its first words name, is one of these. Of a program that is not known its words may mean
 * something else. Contract: pure. `args` are the words behind the program.
 */
export function checksFiles(program: string, args: readonly string[]): boolean {
  const operands = args.filter((value) => !value.startsWith('-')).slice(0, 3);
  return (
    isChecker(program) ||
    operands.some((word) => CHECKS.has(word)) ||
    [program, operands[0] ?? ''].some((word) => FORMATS.test(word))
  );
}
