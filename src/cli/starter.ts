/** The files that `hookline init` writes. */

export interface StarterFiles {
  /** The config file that declares the hook. */
  readonly config: string;
  /** By path, relative to the folder. */
  readonly content: Readonly<Record<string, string>>;
}

/** Written in JavaScript: Node is available wherever this runs, and parses JSON reliably. */
const GUARD = `// A hook for PreToolUse: refuses to delete folders recursively.
// The input is one JSON object on stdin. Exit code 0: allow. Exit code 2: refuse, with the reason on stderr.
import { text } from 'node:stream/consumers';

const { tool_input } = JSON.parse(await text(process.stdin));
const command = String(tool_input?.command ?? '');

for (const [line, words] of command.matchAll(/\\brm\\s+([^;&|\\n]*)/g)) {
  const recursive = /(^|\\s)(-[a-z]*r|--recursive)/i.test(words);
  const forced = /(^|\\s)(-[a-z]*f|--force)/i.test(words);
  if (recursive && forced) {
    console.error(\`'\${line.trim()}' deletes without asking. Name the files, or ask a person.\`);
    process.exit(2);
  }
}
`;

const COMMAND = 'node hooks/no-rm-rf.mjs';
const CLAUDE_COMMAND = 'node "$CLAUDE_PROJECT_DIR"/.claude/hooks/no-rm-rf.mjs';

const CONFIG = `# yaml-language-server: $schema=./node_modules/hookline/spec/schemas/hookline.config.json
#
# The hooks of this folder. Try them:   npx hookline fire PreToolUse --set tool_input.command='rm -rf /'
# onFailure: block also refuses when the guard crashes, hangs or is missing.
# After a change, approve it again:     npx hookline trust approve
hooks:
  PreToolUse:
    - matcher: Bash
      hooks:
        - type: command
          command: ${COMMAND}
          timeout: 10
          onFailure: block
`;

const CLAUDE_SETTINGS = `${JSON.stringify(
  {
    hooks: {
      PreToolUse: [
        {
          matcher: 'Bash',
          hooks: [
            {
              type: 'command',
              command: CLAUDE_COMMAND,
              timeout: 10,
              onFailure: 'block',
            },
          ],
        },
      ],
    },
  },
  null,
  2,
)}
`;

const testsOf = (
  command: string,
): string => `# The expected decisions of this hook, whatever other hooks decide. Run them: npx hookline test
hook: ${command}
tests:
  - name: deleting everything is refused
    event: PreToolUse
    set:
      tool_input.command: rm -rf /
    expect:
      decision: deny
      reason: deletes without asking

  - name: listing files is not affected
    event: PreToolUse
    set:
      tool_input.command: ls -la
    expect:
      decision: none
`;

export function starterFiles(claude: boolean): StarterFiles {
  const config = claude ? '.claude/settings.json' : 'hookline.yaml';
  const guard = claude ? '.claude/hooks/no-rm-rf.mjs' : 'hooks/no-rm-rf.mjs';
  return {
    config,
    content: {
      [config]: claude ? CLAUDE_SETTINGS : CONFIG,
      [guard]: GUARD,
      'hookline.test.yaml': testsOf(claude ? CLAUDE_COMMAND : COMMAND),
    },
  };
}
