/** What permission hooks get and answer: changes to the rules, and a decision in the place of a person. */
import { z } from 'zod';
import { lazy } from '../base/lazy.js';

/** Where a change to the permission rules is stored. */
type Destination = 'userSettings' | 'projectSettings' | 'localSettings' | 'session' | 'cliArg';

/** What a rule is about. */
interface RuleValue {
  /** The tool, as in `Bash`. */
  toolName: string;
  /** What stands in the brackets of the rule, as in `git *`. Absent: every call of the tool. */
  ruleContent?: string;
}

interface RuleUpdate<Type extends string> {
  /** What the change does. */
  type: Type;
  /** The rules that are added, put in the place of others, or removed. */
  rules: RuleValue[];
  /** What the rules say about a call. */
  behavior: 'allow' | 'deny' | 'ask';
  /** Where the change is stored. */
  destination: Destination;
}

interface ModeUpdate {
  /** What the change does. */
  type: 'setMode';
  /** The new permission mode. */
  mode: 'default' | 'acceptEdits' | 'bypassPermissions' | 'plan' | 'delegate' | 'dontAsk';
  /** Where the change is stored. */
  destination: Destination;
}

interface DirectoryUpdate<Type extends string> {
  /** What the change does. */
  type: Type;
  /** The directories in which the agent may work, or may no longer work. */
  directories: string[];
  /** Where the change is stored. */
  destination: Destination;
}

/** A change to the permission rules, as suggested to a hook and as answered by one. */
export type PermissionUpdate =
  | RuleUpdate<'addRules'>
  | RuleUpdate<'replaceRules'>
  | RuleUpdate<'removeRules'>
  | ModeUpdate
  | DirectoryUpdate<'addDirectories'>
  | DirectoryUpdate<'removeDirectories'>;

interface AllowAnswer {
  /** The call runs. */
  behavior: 'allow';
  /** The whole new input of the tool, in place of `tool_input`. */
  updatedInput?: Record<string, unknown> | undefined;
  /** Changes to the rules, so that the question is not asked again. */
  updatedPermissions?: PermissionUpdate[] | undefined;
}

interface DenyAnswer {
  /** The call is refused. */
  behavior: 'deny';
  /** Why; the model reads it. */
  message?: string | undefined;
  /** Ends the turn too. */
  interrupt?: boolean | undefined;
}

/** The answer of a permission hook: a decision and its details. */
export type PermissionAnswer = AllowAnswer | DenyAnswer;

export const permissionUpdate = lazy(() => {
  const destination = z.enum(['userSettings', 'projectSettings', 'localSettings', 'session', 'cliArg']);
  const behavior = z.enum(['allow', 'deny', 'ask']);
  const rules = z.array(z.object({ toolName: z.string(), ruleContent: z.string().exactOptional() }));
  const directories = z.array(z.string());
  const mode = z.enum(['default', 'acceptEdits', 'bypassPermissions', 'plan', 'delegate', 'dontAsk']);
  return z.discriminatedUnion('type', [
    z.object({ type: z.literal('addRules'), rules, behavior, destination }),
    z.object({ type: z.literal('replaceRules'), rules, behavior, destination }),
    z.object({ type: z.literal('removeRules'), rules, behavior, destination }),
    z.object({ type: z.literal('setMode'), mode, destination }),
    z.object({ type: z.literal('addDirectories'), directories, destination }),
    z.object({ type: z.literal('removeDirectories'), directories, destination }),
  ]);
});

export const permissionAnswer = lazy(() =>
  z.discriminatedUnion('behavior', [
    z.object({
      behavior: z.literal('allow'),
      updatedInput: z.record(z.string(), z.unknown()).optional(),
      updatedPermissions: z.array(permissionUpdate()).optional(),
    }),
    z.object({
      behavior: z.literal('deny'),
      message: z.string().optional(),
      interrupt: z.boolean().optional(),
    }),
  ]),
);
