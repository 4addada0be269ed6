/** The optional packages: the versions that are tried, and what is installed beside this package. */

export interface Peer {
  readonly name: string;
  /** The oldest that works, the newest of each major (of each minor below 1) that came after it, and the newest. */
  readonly versions: readonly string[];
  /** What `consumer/try-peers.mjs` says when all is well. */
  readonly result: readonly unknown[];
  /** Brings a command line of hundreds of megabytes. */
  readonly isLarge?: true;
  /** npm would refuse an installation because of what the newest version needs itself, though nobody has that version. */
  readonly hasNoRange?: true;
}

export const PEERS: readonly Peer[] = [
  { name: 'openai', versions: ['5.0.0', '5', '6.0.0', '6', 'latest'], result: ['Done.', 'Done.'] },
  { name: '@anthropic-ai/sdk', versions: ['0.60.0', '0.71', '0', '1.0.0', 'latest'], result: ['Done.'] },
  {
    name: 'redis',
    versions: ['4.6.0', '4', '5.0.0', '5', '6.0.0', 'latest'],
    result: ['news', 'Metres, please.', 'delivered'],
  },
  {
    name: '@modelcontextprotocol/sdk',
    versions: ['1.20.0', '1.21.0', '1.25', 'latest'],
    result: ['sum 2', true, true, 'mcp__notes__add', 0],
  },
  { name: '@opentelemetry/api', versions: ['1.3.0', '1.9.0', 'latest'], result: [true, 'deny', 2] },
  {
    name: '@anthropic-ai/claude-agent-sdk',
    versions: ['0.1.70', '0.2.37', '0.2', 'latest'],
    result: ['Done.', ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'Stop', 'SessionEnd'], []],
    isLarge: true,
    hasNoRange: true,
  },
];

/** What people have in the same project; each line is installed at once. */
export const NEIGHBOURS: readonly (readonly string[])[] = [
  ['@openai/agents'],
  ['ai', '@ai-sdk/openai', '@ai-sdk/anthropic'],
  ['ai@4'],
  ['@mastra/core'],
  ['@mastra/core@0.24'],
  ['@strands-agents/sdk'],
  ['llamaindex'],
  ['openai@5', 'zod@3'],
  ['@opentelemetry/sdk-node'],
  ['bullmq', 'ioredis'],
];
