/** The tools that come with the library, put together. */
import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import { agentTool, sendMessageTool } from './agent.js';
import { type BashOptions, createBashTool } from './bash.js';
import { editTool } from './edit.js';
import { globTool } from './glob.js';
import { grepTool } from './grep.js';
import { readTool } from './read.js';
import { createTaskList, type TaskList } from './task-list.js';
import { createTaskTools } from './tasks.js';
import type { Tool } from './tool.js';
import { writeTool } from './write.js';

/** What the built-in tools share or can be told. */
export interface BuiltInOptions {
  /** How the Bash tool runs its commands. */
  readonly bash?: BashOptions;
  /** Default: a list of its own, on which tasks are completed when the loop's hooks agree. */
  readonly tasks?: TaskList;
}

const OPTIONS: OptionNames<BuiltInOptions> = { bash: true, tasks: true };

/**
 * The tools an agent has by default: Bash, Read, Write, Edit, Glob, Grep, the task tools, Agent and SendMessage. Each
 * call makes tools of its own. Throws a `HookError` only for an option that does not exist.
 */
export function builtInTools(options: BuiltInOptions = {}): Tool[] {
  refuseUnknownOptions('builtInTools', options, OPTIONS);
  const { bash = {}, tasks = createTaskList() } = options;
  return [
    createBashTool(bash),
    readTool,
    writeTool,
    editTool,
    globTool,
    grepTool,
    ...createTaskTools(tasks),
    agentTool,
    sendMessageTool,
  ];
}
