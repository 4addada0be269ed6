/** Texts that a line types into a terminal: whole lines are judged, parts of lines are asked about. */
import { describe, expect, it } from 'vitest';
import { bash, makeWorkspace } from './workspace.js';

const { root, permissions } = makeWorkspace();
const judged = permissions({ allow: ['Bash'], deny: ['Bash(rm *)', 'Read(./.env)'] });
const verdict = (line: string): string => `${judged.decide(bash(root, line)).behavior} ${line}`;

const ASKED: readonly string[] = [
  'tmux send-keys r',
  "tmux send-keys r m ' x' Enter",
  "tmux send-keys -t dev 'npm te'",
  "tmux send-keys -t dev 'rm x' Enter",
  'tmux send-keys -t dev Up Enter',
  'tmux send-keys -t dev C-r',
  'tmux send-keys -H 72 6d',
  'tmux set-buffer x \\; paste-buffer',
  'tmux send-keys -t dev "$X" Enter',
  "tmux ls \\; send-keys -t 1 'r'",
  "tmux send-keys -t dev 'cat .e*' Enter",
  "screen -S x -X stuff 'r'",
  'screen -S x -X paste .',
  "kitty @ send-text 'r'",
  "nvim --server s --remote-send 'r'",
  'xdotool type rm',
  'xdotool type r',
];
const FREE: readonly string[] = [
  "tmux send-keys -t dev 'npm test' Enter",
  "tmux send-keys -t dev 'npm test' C-m",
  'tmux send-keys -t dev C-c',
  'tmux send-keys -t dev q',
  "tmux send-keys -t dev C-c \\; send-keys -t dev 'npm run dev' Enter",
  "screen -S x -X stuff $'npm test\\n'",
  'tmux capture-pane -p -t dev',
];

describe('what a line types into another program', () => {
  it.each(ASKED)('PM-52 asks: %s', (line) => {
    expect(verdict(line)).toBe(`ask ${line}`);
  });

  it.each(FREE)('PM-52 runs: %s', (line) => {
    expect(verdict(line)).toBe(`allow ${line}`);
  });
});
