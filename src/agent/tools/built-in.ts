/** The built-in tools. */
import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import { agentTool, sendMessageTool } from './agent.js';
import { type BashOptions, createBashTool } from './bash.js';
import { editTool } from './edit.js';
import { globTool } from './glob.js';
import { grepTool } from './grep.js';
import { readTool } from './read.js';
import { bashOutputTool, killShellTool } from './shell-tools.js';
import { createTaskList, type TaskList } from './task-list.js';
import { createTaskTools } from './tasks.js';
import type { Tool } from './tool.js';
import { writeTool } from './write.js';

/** Options of `builtInTools`. */
export interface BuiltInOptions {
  /** Options of the Bash tool. */
  readonly bash?: BashOptions;
  /** Default: a new list, on which tasks can be completed unless the loop's hooks block it. */
  readonly tasks?: TaskList;
}

const OPTIONS: OptionNames<BuiltInOptions> = { bash: true, tasks: true };

/**
 * Creates the default tools of an agent: Bash, BashOutput, KillShell, Read, Write, Edit, Glob, Grep, the task tools, Agent and SendMessage.
 * Each call creates new tools. Throws a `HookError` only for an unknown option.
 */
export function builtInTools(options: BuiltInOptions = {}): Tool[] {
  refuseUnknownOptions('builtInTools', options, OPTIONS);
  const { bash = {}, tasks = createTaskList() } = options;
  return [
    createBashTool(bash),
    bashOutputTool,
    killShellTool,
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
