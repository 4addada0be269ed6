/** Imports test modules. Uses the project's own tsx for TypeScript if Node cannot run it. */
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { HookError, show } from '../../base/errors.js';
import { importModule, resolveFrom } from '../../base/run-time-modules.js';

/** The part of tsx's API that is used here. */
interface Tsx {
  tsImport(specifier: string, parent: string): Promise<unknown>;
}

/** Rejects if the module cannot be imported or does not export a list of tests. */
export async function importTests(file: string): Promise<readonly unknown[]> {
  const url = pathToFileURL(file).href;
  const needsHelp = /^\.m?ts$/.test(extname(file)) && !nodeReadsTypeScript();
  const imported = needsHelp ? await (await findTsx(file)).tsImport(url, url) : await importModule(url);
  const tests = testsOf(imported);
  if (tests !== undefined) return tests;
  throw new HookError(
    'invalid_config',
    'The module has no list of tests; write export default defineHookTests([...]).',
  );
}

/** In a module that tsx loads as CommonJS, the default export is nested one level deeper. */
function testsOf(imported: unknown): readonly unknown[] | undefined {
  const { default: own } = imported as { default?: unknown };
  if (Array.isArray(own)) return own;
  const inner = (own as { default?: unknown } | undefined)?.default;
  return Array.isArray(inner) ? inner : undefined;
}

function nodeReadsTypeScript(): boolean {
  const { typescript } = process.features as { typescript?: string | false };
  // The process already runs under tsx.
  return Boolean(typescript) || process.execArgv.some((argument) => argument.includes('tsx'));
}

async function findTsx(file: string): Promise<Tsx> {
  let path: string;
  try {
    // `require` resolves to the CommonJS build; the ESM build is next to it.
    path = resolveFrom(file, 'tsx/esm/api').replace(/\.cjs$/, '.mjs');
  } catch {
    throw new HookError(
      'invalid_option',
      `${show(file)} is TypeScript, which Node ${process.versions.node} cannot read by itself. Run npm install --save-dev tsx in the project, or write the tests as .mjs or .yaml.`,
    );
  }
  return (await importModule(pathToFileURL(path).href)) as Tsx;
}
