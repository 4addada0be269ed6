/** The plugin that calls the bridge from opencode, which has no commands as hooks. */
import type { OwnFiles } from '../host/host.js';

/** Later than the bridge's own deadline. */
const TIMEOUT_MS = 660_000;

const HEAD = '// Made by hookline install, which writes it anew; hookline uninstall removes it.';

const CODE = `
import { spawn } from 'node:child_process';

/** Starts the line of an event. What cannot answer refuses. */
function ask(event, fields, cwd) {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', LINES[event]], { cwd });
    const printed = { stdout: '', stderr: '' };
    const fail = (why) => resolve({ refuse: printed.stderr.trim() || 'hookline could not answer: ' + why });
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail('it took too long');
    }, ${TIMEOUT_MS});
    for (const name of ['stdout', 'stderr'])
      child[name].setEncoding('utf8').on('data', (text) => {
        printed[name] += text;
      });
    child.stdin.on('error', () => {});
    child.on('error', ({ message }) => fail(message));
    child.on('close', (code) => {
      clearTimeout(timer);
      if (code !== 0) return fail('exit code ' + code);
      try {
        resolve(printed.stdout.trim() === '' ? {} : JSON.parse(printed.stdout));
      } catch {
        fail('its answer cannot be read');
      }
    });
    child.stdin.end(JSON.stringify({ hook_event_name: event, cwd, ...fields }));
  });
}

export const Hookline = async ({ directory }) => {
  const hooks = {
    'tool.execute.before': async ({ tool, sessionID, callID }, output) => {
      const call = { session_id: sessionID, tool_name: tool, tool_use_id: callID, tool_input: output.args ?? {} };
      const { refuse, rewrite } = await ask('tool.execute.before', call, directory);
      if (refuse !== undefined) throw new Error(refuse);
      if (rewrite === undefined) return;
      // opencode goes on with the object that it has.
      for (const key of Object.keys(output.args)) if (!(key in rewrite)) delete output.args[key];
      Object.assign(output.args, rewrite);
    },
    'tool.execute.after': async ({ tool, sessionID, callID, args }, output) => {
      // What a tool of an MCP server gives is a list.
      const parts = Array.isArray(output.content) ? output.content : [];
      const said = output.output ?? parts.map(({ text }) => text ?? '').join('\\n');
      const call = { session_id: sessionID, tool_name: tool, tool_use_id: callID, tool_input: args ?? {} };
      const answer = await ask('tool.execute.after', { ...call, tool_response: said }, directory);
      const { refuse, replace = refuse, context } = answer;
      if (replace === undefined && context === undefined) return;
      const now = [replace ?? said, ...(context === undefined ? [] : [context])].join('\\n\\n');
      if (Array.isArray(output.content)) output.content = [{ type: 'text', text: now }];
      else output.output = now;
    },
    'chat.message': async ({ sessionID }, { message, parts }) => {
      const written = parts.filter(({ type, synthetic }) => type === 'text' && synthetic !== true);
      const prompt = written.map(({ text }) => text).join('\\n');
      const { refuse, context } = await ask('chat.message', { session_id: sessionID, prompt }, directory);
      if (refuse !== undefined) throw new Error(refuse);
      if (context === undefined) return;
      const id = 'prt_' + Date.now().toString(16).padStart(12, 'f') + Math.random().toString(36).slice(2, 16).padEnd(14, '0');
      parts.push({ id, sessionID, messageID: message.id, type: 'text', text: context, synthetic: true });
    },
    event: async ({ event: { type, properties } }) => {
      const name = type === 'session.idle' || type === 'session.created' ? type : undefined;
      if (name === undefined || LINES[name] === undefined) return;
      await ask(name, { session_id: properties.sessionID ?? properties.info?.id }, directory);
    },
  };
  return Object.fromEntries(Object.entries(hooks).filter(([name]) => name === 'event' || LINES[name] !== undefined));
};
`.trim();

/**
 * Calls the plugin as opencode does; stdout and exit code are those of a hook. The code is imported as a text: opencode
 * takes the file for a module wherever it lies, and Node looks at the package around it.
 */
const CALL = `
import { readFileSync } from 'node:fs';
const [file, event] = process.argv.slice(1);
let text = '';
for await (const chunk of process.stdin) text += chunk;
const { session_id: sessionID, tool_name: tool, tool_use_id: callID, tool_input: args, cwd: directory } = JSON.parse(text);
const code = 'data:text/javascript,' + encodeURIComponent(readFileSync(file, 'utf8'));
const { Hookline } = await import(code);
try {
  await (await Hookline({ directory }))[event]({ tool, sessionID, callID }, { args });
} catch ({ message }) {
  console.log(JSON.stringify({ refuse: message }));
}
`.trim();

export const plugin: OwnFiles = {
  perEvent: false,
  write(entries) {
    const lines = Object.fromEntries(entries.map(({ name, line }) => [name, line]));
    return `${HEAD}\nconst LINES = ${JSON.stringify(lines, null, 2)};\n${CODE}\n`;
  },
  linesIn(content) {
    const [, json] = /^const LINES = (\{\n[\s\S]*?\n\});$/m.exec(content) ?? [];
    if (json === undefined || !content.includes('hook --host opencode --event ')) return undefined;
    try {
      return JSON.parse(json) as Readonly<Record<string, string>>;
    } catch {
      return undefined;
    }
  },
  start: (file, event) => [process.execPath, '--input-type=module', '-e', CALL, file, event],
};
