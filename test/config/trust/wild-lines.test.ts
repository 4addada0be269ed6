/** Lines as they stand in hooks that people use: exactly what they execute is covered, and nothing else is listed. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are lines for a shell.
import { describe, expect } from 'vitest';
import { trustForm } from '../../../src/config/trust/trust-store.js';
import { furnish } from './spellings.js';
import { trustTest } from './support.js';

const FILE = "jq -r '.tool_input.file_path // empty'";

/** Nothing of ours is run: only read, tested for, written, or named in a text. */
const COVERS_NOTHING: readonly string[] = [
  `${FILE} | xargs prettier --write`,
  `${FILE} | { read -r f; case "$f" in *.ts|*.tsx) prettier --write "$f";; esac; }`,
  `f=$(${FILE}); [[ "$f" == *.py ]] && black -q "$f"; exit 0`,
  `file=$(cat | ${FILE}); if [ -n "$file" ] && [ "\${file##*.}" = go ]; then gofmt -w "$file"; fi`,
  `jq -r '.tool_input.command' | tee -a .claude/commands.log >/dev/null`,
  'jq -r \'"\\(.tool_input.command) - \\(.tool_input.description // "none")"\' >> ~/.claude/bash-log.txt',
  'echo "$(date): $CLAUDE_TOOL_NAME" >> "$CLAUDE_PROJECT_DIR/.claude/activity.log"',
  `${FILE} | xargs -I FILE sh -c 'echo "$(date +%s) FILE" >> "$CLAUDE_PROJECT_DIR/.claude/edits.txt"'`,
  'mkdir -p .claude/logs && cat > .claude/logs/last-input.json',
  'cat guard.sh > /dev/null; date > guard.sh',
  "sh -c 'date >> data.txt'",
  "node -e \"require('fs').appendFileSync('data.txt', Date.now() + '\\n')\"",
  'test -f package.json && grep -q vitest package.json && echo \'{"systemMessage":"use vitest"}\'; exit 0',
  '[ -f package.json ] && jq -e .scripts.lint package.json >/dev/null && echo has-lint',
  'if [[ -f pyproject.toml ]] && grep -q ruff pyproject.toml; then ruff check . || true; fi',
  'wc -l < data.txt | tr -d " "',
  "python3 -c \"import json, sys; s = open('guard.py').read(); sys.exit(2 if 'x' in s else 0)\"",
  "node -e \"const s = require('fs').readFileSync('data.txt', 'utf8'); process.exit(s.includes('a') ? 0 : 2)\"",
  "awk '/TODO/ { n++ } END { print n }' guard.sh",
  "sed -n '1,5p' guard.sh",
  'grep --exclude=guard.sh -r TODO .',
  'LOG=guard.sh; cat "$LOG"',
  "jq --arg f guard.sh '. + {file: $f}' data.txt",
  'docker compose ps --format json',
  'git log -1 --format=%s && git diff --name-only',
  'osascript -e \'display notification "Done" with title "Agent"\'',
  'notify-send "Agent" "Waiting for you" 2>/dev/null || osascript -e \'beep\' || true',
  'command -v terminal-notifier >/dev/null && terminal-notifier -message done || true',
  'afplay /System/Library/Sounds/Glass.aiff & exit 0',
  'say "finished" || espeak finished || printf "\\a"',
  'curl -s -X POST "https://api.telegram.org/bot$TELEGRAM_BOT_TOKEN/sendMessage" -d chat_id="$CHAT" -d text="done" >/dev/null',
  'if [ -n "$SLACK_WEBHOOK_URL" ]; then curl -fsS -H "Content-type: application/json" --data "{\\"text\\":\\"done\\"}" "$SLACK_WEBHOOK_URL"; fi',
  'START=$(cat /tmp/start 2>/dev/null || echo 0); DURATION=$(( $(date +%s) - START )); echo "took $((DURATION / 60))m N/A"',
  'git diff --name-only HEAD | head -20',
  'git stash push -u -m "before $(date +%H:%M)" && git stash apply -q; exit 0',
  'git add -A && git commit -qm "checkpoint: $(date -u +%FT%TZ)" --no-verify || true',
  'branch=$(git rev-parse --abbrev-ref HEAD); [ "$branch" = main ] && { echo "not on main" >&2; exit 2; }; exit 0',
  'cmd=$(jq -r .tool_input.command); echo "$cmd" | grep -qE "rm -rf|git push --force" && { echo blocked >&2; exit 2; } || exit 0',
  "python3 -c \"import json,sys; d=json.load(sys.stdin); sys.exit(2 if '.env' in d['tool_input'].get('file_path','') else 0)\"",
  "python3 -c \"import json; print(open('./data.txt').read(), 'run ./data.txt or npm test')\"",
  "node -e \"if (!/test/.test(require('fs').readFileSync('src/x.ts', 'utf8'))) console.log('https://x.test/a.js')\"",
  "python3 - <<'EOF'\nimport json, pathlib\npathlib.Path('data.txt').write_text('x')\nEOF",
  'cat <<EOF\n{"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "$(git log --oneline -5)"}}\nEOF',
  'jq -n --arg c "$(cat CLAUDE.md 2>/dev/null)" \'{additionalContext: $c}\'',
  'npx --yes prettier --check . >/dev/null 2>&1 || echo "run prettier"',
  'uvx ruff format --quiet',
  'docker ps --format "{{.Names}}" | grep -q db || echo "database is down"',
  'tsc --noEmit --project tsconfig.json 2>&1 | head -20',
  'rg -n "TODO" guard.sh guard.js || true',
  'shfmt -d data.txt; eslint_d --fix "$FILE" || true',
  'while read -r line; do echo "$line"; done < data.txt',
  'find . -name "*.log" -mtime +7 -delete; find . -type f -name "*.sh" | wc -l',
  '[ "$(uname)" = Darwin ] && open -g "raycast://confetti" || true',
];

/** Exactly these files are covered. */
const COVERS: readonly (readonly [line: string, ...files: string[]])[] = [
  ['"$CLAUDE_PROJECT_DIR"/hooks/guard.sh', 'hooks/guard.sh'],
  ['uv run "$CLAUDE_PROJECT_DIR/guard.py" --notify', 'guard.py'],
  ['uv run --quiet --script $CLAUDE_PROJECT_DIR/guard.py', 'guard.py'],
  ['python3 "$CLAUDE_PROJECT_DIR/guard.py" || true', 'guard.py'],
  [
    'cd "$CLAUDE_PROJECT_DIR" && npm run lint --silent 2>&1 | tail -20',
    'guard.js',
    'node_modules/.bin/eslint',
    'package.json',
    'scripts/lint.sh',
  ],
  [
    'if [[ -f package.json ]]; then npm test 2>/dev/null || yarn test 2>/dev/null || true; elif [[ -f pytest.ini ]]; then pytest; fi',
    'guard.js',
    'node_modules/.bin/eslint',
    'package.json',
    'scripts/lint.sh',
  ],
  [`f=$(${FILE}); npx eslint --fix "$f" && npx tsc --noEmit`, 'node_modules/.bin/eslint'],
  [
    `bash -c 'input=$(cat); f=$(echo "$input" | ${FILE.replaceAll("'", '"')}); [ -x "$CLAUDE_PROJECT_DIR/scripts/lint.sh" ] && "$CLAUDE_PROJECT_DIR/scripts/lint.sh" "$f"; exit 0'`,
    'scripts/lint.sh',
  ],
  ['bash "$CLAUDE_PROJECT_DIR/hooks/guard.sh" "$CLAUDE_PROJECT_DIR/guard.py"', 'guard.py', 'hooks/guard.sh'],
  ['cat | node "$CLAUDE_PROJECT_DIR"/guard.js | tee -a data.txt', 'guard.js'],
  ['make check > /tmp/make.log 2>&1 || { tail -5 /tmp/make.log >&2; exit 2; }', 'Makefile'],
  [
    'source .venv/bin/activate 2>/dev/null; [ -f .venv/bin/activate ] && .venv/bin/python guard.py',
    '.venv/bin/activate',
    '.venv/bin/python',
    'guard.py',
  ],
  ['./guard.sh < data.txt > out.txt 2>&1', 'guard.sh'],
  ['(nohup ./guard.sh >/dev/null 2>&1 &)', 'guard.sh'],
  ['jq -c . > /tmp/in.json && ./guard.sh /tmp/in.json; rm -f /tmp/in.json', 'guard.sh'],
  ['[ -f ./local.sh ] && . ./local.sh; exit 0', 'local.sh'],
  ['set -euo pipefail\nexport LC_ALL=C\n"$CLAUDE_PROJECT_DIR"/guard.sh', 'guard.sh'],
];

describe('a line as hooks have them', () => {
  for (const line of COVERS_NOTHING) {
    trustTest(`TR-4 lists no file: ${line}`, async ({ trust }) => {
      furnish(trust.workspace);
      const { files } = await trustForm(trust.hook(line));
      expect(files).toEqual([]);
      await trust.store.approve(trust.workspace, [trust.hook(line)]);
    });
  }

  for (const [line, ...expected] of COVERS) {
    trustTest(`TR-3 TR-4 lists exactly ${expected.join(', ')}: ${line}`, async ({ trust }) => {
      furnish(trust.workspace);
      const { files } = await trustForm(trust.hook(line));
      expect(files.map(({ path }) => path)).toEqual(expected);
    });
  }

  trustTest('TR-4 a file that is only read can change every day', async ({ trust }) => {
    furnish(trust.workspace);
    const hooks = COVERS_NOTHING.map((line) => trust.hook(line));
    await trust.store.approve(trust.workspace, hooks);
    for (const path of [
      'package.json',
      'pyproject.toml',
      'data.txt',
      'CLAUDE.md',
      'guard.sh',
      '.claude/commands.log',
    ])
      trust.write(path, 'another content\n');
    expect(new Set(await trust.store.status(trust.workspace, hooks))).toEqual(new Set(['trusted']));
  });
});
