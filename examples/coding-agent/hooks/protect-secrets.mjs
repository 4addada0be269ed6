/** Refuses files with secrets. In the agent loop the path is absolute, however the model wrote it. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

const { tool_input } = JSON.parse(readFileSync(0, 'utf8'));
if (/^\.env(\.|$)|\.(pem|key)$/.test(basename(tool_input.file_path))) {
  console.error('Secrets stay where they are.');
  process.exit(2);
}
