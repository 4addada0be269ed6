/** Formats a file that was written. Here: no blanks at the end of a line. Put your formatter in its place. */
import { readFileSync, writeFileSync } from 'node:fs';

const { tool_input } = JSON.parse(readFileSync(0, 'utf8'));
const text = readFileSync(tool_input.file_path, 'utf8');
const formatted = text.replaceAll(/[ \t]+$/gm, '');
if (formatted !== text) writeFileSync(tool_input.file_path, formatted);
