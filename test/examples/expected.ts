/** What each example prints. */
export const EXPECTED: Readonly<Record<string, string>> = {
  '00-tour.ts': `you      Greet the world.
agent    I begin with a clean slate.
tool     Bash {"command":"rm -rf build"}
refused  PreToolUse:Bash hook refused this call: nothing is deleted here
agent    Then without.
tool     Write {"file_path":"hello.txt","content":"Hello, world.\\n"}
result   the file is written
you      "Better in Welsh!" is queued
you      "Better in Welsh!" is delivered
agent    In Welsh, then.
tool     Write {"file_path":"hello.txt","content":"Helo, fyd.\\n"}
result   the file is written
agent    Done.
hook     Stop hook feedback: say in one sentence what you did
agent    I wrote a greeting in Welsh.
end      completed: I wrote a greeting in Welsh.
file     Helo, fyd.`,
  '01-first-hooks.ts': `Bash {"command":"ls"}
    hook no-recursive-delete was asked
  runs with {"command":"ls"}
Bash {"command":"rm -rf build"}
    hook no-recursive-delete was asked
  denied: rm -rf is not for agents
Write {"file_path":"notes.md","content":"hello"}
    hook keep-in-workspace was asked
  runs with {"file_path":"workspace/notes.md","content":"hello"}
the agent wants to stop
    hook tests-first was asked
  goes on: run the tests first
the agent wants to stop
    hook tests-first was asked
  stops`,
  '02-block-a-tool.ts': 'deny - Bash is switched off today',
  '03-shell-guard.ts': `src/index.ts: no objection
.env: deny (secrets stay where they are)
a guard that is missing: deny, failed-to-start`,
  '04-watch-messages.ts': `hook_started warm-up
hook_progress warm-up "half way\\n"
hook_response warm-up success ""
hook_started check
hook_progress check "checking\\n"
hook_response check success "checking\\n"
for the model: The cache is warm.`,
  '05-late-answers.ts': `The linter found nothing.
The tests pass.`,
  '06-claude-settings.ts': `This hook does not run: it comes with the workspace and is not approved yet; review and approve it.
git status: the guard is not asked (condition)
git push --force: the guard is asked
  denied: pushing by force is for people`,
  '07-agent-loop.ts': `  Setup init
  SessionStart startup
  UserPromptSubmit sdk
  PreToolUse Bash
refused or failed: PreToolUse:Bash hook refused this call: nothing is deleted here
  PreToolUse Bash
  PostToolUseFailure Bash
refused or failed: Exit code 1
  PreToolUse TaskCreate
  PostToolUse TaskCreate
  PreToolUse Write
  PermissionRequest Write
  Notification permission_prompt
  PostToolUse Write
  PreToolUse TaskUpdate
  TaskCompleted Write the greeting
  PostToolUse TaskUpdate
  PreToolUse Agent
  (scout) SubagentStart
I have looked around.
  (scout) SubagentStop
  (scout) TeammateIdle ada
Nothing new.
  (scout) SubagentStop
  (scout) TeammateIdle ada
  PostToolUse Agent
  UserPromptSubmit system
Done.
  Stop
I wrote hello.txt.
  Stop
result: completed, I wrote hello.txt.
  PreCompact manual
  SessionStart compact
result: compacted
  SessionEnd other`,
  '08-injection.ts': `ada: The bridge is 42 m long.
[injection] human Eva -> ben: queued as tool_result
[injection] system mid-stream-injection -> ben: queued as tool_result
[injection] peer agent1 -> ben: queued as tool_result
[injection] human Eva -> ben: delivered as tool_result
[injection] system mid-stream-injection -> ben: delivered as tool_result
[injection] peer agent1 -> ben: delivered as tool_result
ben: Ada has the bridge. The tower is 42 m high.

What Ben read behind his measurement:
the tower: 42 m
┌── message from outside · … · from human "Eva" · id "eva-1" ──
│ Metres, please.
└── end of message · … ──
┌── message from outside · … · from system "mid-stream-injection" · id "peers-fcd86ca37c9debb3fe9325f9" ──
│ A peer has handed in an answer:
│ - agent1: agent1.1 (its first one that you see)
│ It follows as a message from its author.
│
│ Before you go on, compare each answer with your own work. Take over what is better there, keep what is better here, and say in one sentence what you have decided.
└── end of message · … ──
┌── message from outside · … · from peer "agent1" · id "peer-93c82131744c7b6ae40e9b7e" ──
│ The bridge is 42 m long.
└── end of message · … ──`,
  '09-live-view.ts': `ada
  turn 1: How long is the bridge?
    is told something by a person
    says I begin with the bridge.
    calls Measure {"what":"the bridge"}
    hook no-demolition on PreToolUse
    hook second-look on PostToolUse
    says The bridge is 42 m long.
    hook write-it-down on Stop
    completed
ben
  turn 1: How high is the tower?
    says First what is below.
    calls Measure {"what":"the cellar"}
    hook no-demolition on PreToolUse
    refused: PreToolUse:Measure hook refused this call: the cellar is closed
    says Then what is above.
    calls Measure {"what":"the tower"}
    hook no-demolition on PreToolUse
    hook second-look on PostToolUse
    says The tower is 42 m high, the cellar is closed.
    hook write-it-down on Stop
    completed
cleo
  turn 1: How wide is the garden?
    says The garden, then.
    calls Measure {"what":"the garden"}
    hook no-demolition on PreToolUse
    hook second-look on PostToolUse
    says And the pond.
    calls Measure {"what":"the pond"}
    hook no-demolition on PreToolUse
    hook second-look on PostToolUse
    says Garden and pond are 42 m wide.
    hook write-it-down on Stop
    completed`,
  '10-claude-agent-sdk.ts': `git push {}
git push --force {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"not by force"}}`,
  '11-mcp-server.ts': `result: noted: buy milk
refused: secrets are not noted
result: noted: and bread
┌── message from outside · … · from peer "ben" · id "m1" ──
│ The shop closes at six.
└── end of message · … ──`,
  '12-several-processes.ts': `ada knows: ada wins with 2 votes; { cyd: 'its process gave no sign of life for 5 s' }
ben knows: ada wins with 2 votes; { cyd: 'its process gave no sign of life for 5 s' }
cyd was killed`,
  '13-your-own-model.ts': `stressed: desserts
look: olleh`,
  '14-opentelemetry.ts': `telemetry is on
turn 1
  hookline.fire PreToolUse: deny
    hookline.hook ask-the-registry: callback, success
      look up the owner
    hookline.hook joins-the-trace: command, success
    hookline.hook guard: callback, success, deny`,
  '15-your-own-loop.ts': `model reads: Measure the bridge.
model reads: refused: nothing is deleted here
model reads: Bash did {"command":"nice measure bridge"}

┌── message from outside · … · from human "Eva" · id "eva-1" ──
│ In metres, please.
└── end of message · … ──
model says:  42 m.
model reads: Say what you did.
model says:  I measured the bridge: 42 m.
answer:      I measured the bridge: 42 m.`,
  '16-your-own-events.ts': `staging 1.3.0-rc.1: go
production 1.3.0-rc.1: deny, 1.3.0-rc.1 is a pre-release.
production 1.3.0: go (OPS-12)
staging 0.9.0: deny, not 1.0 yet`,
  '17-wiring.ts': `The bridge is 42 m long.
Eva: Metres, please.`,
  '18-around-the-model.ts': `  audit: small answered a turn with 1 block(s)
2 + 2? It is 4.
  audit: large answered a turn with 1 block(s)
2 + 2? It is 4.
  audit: large answered a turn with 1 block(s)
My card is 4111 1111 1111 1111. I keep [number] to myself.
Delete it. beforeModel refused: this agent deletes nothing
large was sent: My card is [number].`,
};
