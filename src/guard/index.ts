/** What guards are written with: reading the input of a hook, shell lines, rules about files, and the audit log. */
export type { ModelPrice, ModelPrices } from '../agent/models/prices.js';
export { allow, ask, context, deny, rewrite } from '../events/answers.js';
export {
  readShellLine,
  type ShellAssignment,
  type ShellCommand,
  type ShellContext,
  type ShellLine,
  type ShellRedirect,
  type ShellWord,
} from '../shell/read-line.js';
export { type AuditReport, appendAudit, verifyAudit } from './audit.js';
export { codeIn } from './code.js';
export { type CommandsRead, type ReadCommand, readCommands } from './commands.js';
export { deletesFound, findsMuch } from './found-files.js';
export { guard } from './guard.js';
export { editedPaths, type GuardInput, shellLineOf, textsIn } from './input.js';
export { type Reach, reachOf } from './reach.js';
export { matchRules, type RuleMatch } from './rules.js';
export { type SessionCostOptions, sessionCost } from './session-cost.js';
export { waitsForLines } from './waiting.js';
