/** Sample calls of common tools, with the fields that hooks see in real use. */
import { join } from 'node:path';

type Fields = Readonly<Record<string, unknown>>;

export interface ToolSample {
  readonly tool_input: Fields;
  readonly tool_response: Fields;
}

const TEXT = 'export const answer = 42;\n';

const parser = (cwd: string): string => join(cwd, 'src', 'parser.ts');

const agent = {
  tool_input: {
    description: 'Find the parser',
    prompt: 'Find the file that holds the parser',
    subagent_type: 'explorer',
  },
  tool_response: {
    status: 'completed',
    content: [{ type: 'text', text: 'The parser is in src/parser.ts.' }],
  },
};

const SAMPLES: Readonly<Record<string, (cwd: string) => ToolSample>> = {
  Bash: () => ({
    tool_input: { command: 'ls -la', description: 'List the files' },
    tool_response: { stdout: 'README.md\nsrc\n', stderr: '', interrupted: false },
  }),
  BashOutput: () => ({
    tool_input: { bash_id: 'shell_1' },
    tool_response: {
      shellId: 'shell_1',
      command: 'npm run dev',
      status: 'running',
      exitCode: null,
      stdout: 'ready on port 3000',
      stderr: '',
    },
  }),
  KillShell: () => ({
    tool_input: { shell_id: 'shell_1' },
    tool_response: { message: 'shell_1 was ended.', shell_id: 'shell_1' },
  }),
  Read: (cwd) => ({
    tool_input: { file_path: parser(cwd) },
    tool_response: {
      type: 'text',
      file: { filePath: parser(cwd), content: TEXT, numLines: 1, startLine: 1, totalLines: 1 },
    },
  }),
  Write: (cwd) => ({
    tool_input: { file_path: parser(cwd), content: TEXT },
    tool_response: {
      type: 'create',
      filePath: parser(cwd),
      content: TEXT,
      structuredPatch: [],
      originalFile: null,
    },
  }),
  Edit: (cwd) => ({
    tool_input: { file_path: parser(cwd), old_string: '41', new_string: '42' },
    tool_response: {
      filePath: parser(cwd),
      oldString: '41',
      newString: '42',
      structuredPatch: [],
      replaceAll: false,
    },
  }),
  MultiEdit: (cwd) => ({
    tool_input: { file_path: parser(cwd), edits: [{ old_string: '41', new_string: '42' }] },
    tool_response: { filePath: parser(cwd), edits: [{ old_string: '41', new_string: '42' }] },
  }),
  NotebookEdit: (cwd) => ({
    tool_input: { notebook_path: join(cwd, 'notes.ipynb'), cell_id: 'cell-1', new_source: 'print(42)' },
    tool_response: { new_source: 'print(42)', cell_id: 'cell-1' },
  }),
  Glob: (cwd) => ({
    tool_input: { pattern: 'src/**/*.ts' },
    tool_response: { filenames: [parser(cwd)], numFiles: 1, truncated: false, durationMs: 3 },
  }),
  Grep: (cwd) => ({
    tool_input: { pattern: 'answer', path: join(cwd, 'src'), output_mode: 'files_with_matches' },
    tool_response: { mode: 'files_with_matches', filenames: [parser(cwd)], numFiles: 1 },
  }),
  WebFetch: () => ({
    tool_input: { url: 'https://example.com/', prompt: 'What is it about?' },
    tool_response: { url: 'https://example.com/', code: 200, result: 'An example.' },
  }),
  WebSearch: () => ({
    tool_input: { query: 'how to write a parser' },
    tool_response: { query: 'how to write a parser', results: [] },
  }),
  TodoWrite: () => ({
    tool_input: {
      todos: [{ content: 'Test the parser', status: 'pending', activeForm: 'Testing the parser' }],
    },
    tool_response: { oldTodos: [], newTodos: [] },
  }),
  TaskCreate: () => ({
    tool_input: { subject: 'Test the parser', description: 'Write a test for every kind of token' },
    tool_response: { task: { id: '1', subject: 'Test the parser' } },
  }),
  TaskUpdate: () => ({
    tool_input: { taskId: '1', status: 'completed' },
    tool_response: { success: true, taskId: '1', updatedFields: ['status'] },
  }),
  TaskList: () => ({ tool_input: {}, tool_response: { tasks: [] } }),
  Agent: () => agent,
  Task: () => agent,
  SendMessage: () => ({
    tool_input: { to: 'ada', message: 'The parser is ready.' },
    tool_response: { success: true },
  }),
};

/** An unknown tool gets an empty input, which `--set` can fill. */
export function toolSample(tool: string, cwd: string): ToolSample {
  const make = Object.hasOwn(SAMPLES, tool) ? SAMPLES[tool] : undefined;
  return make?.(cwd) ?? { tool_input: {}, tool_response: {} };
}
