/** Files that code in a line loads by their paths: `node -e "require('./guard.js')"`. */

const LOADS = [
  /\b(?:require|import)\s*\(\s*(['"`])(\.{0,2}\/[^'"`$]+)\1/g,
  /\b(?:from|import)\s+(['"])(\.{0,2}\/[^'"]+)\1/g,
  /\b(?:exec|run_path)\s*\(\s*(?:compile\s*\(\s*)?(?:open\s*\(\s*)?(['"])([^'"]+)\1/g,
];

/** As they are written, from the folder where the code runs. */
export function filesInCode(code: string): readonly string[] {
  return LOADS.flatMap((pattern) => [...code.matchAll(pattern)].map(([, , path = '']) => path));
}
