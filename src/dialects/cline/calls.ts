/** The inputs of Cline's tools: its schemas take a text, an object or a list of either. */
import { quoted } from '../../base/text/shell-word.js';
import { isObject, parsed, text } from '../host/answers.js';

/** Each as a line for the shell. Commands with arguments are started without one, so their words are quoted. */
export function commandsIn(given: unknown): readonly string[] {
  const plain = plainOf(given);
  if (typeof plain === 'string') return [plain];
  if (Array.isArray(plain)) return plain.flatMap(commandsIn);
  if (!isObject(plain)) return [];
  const { commands, command, cmd, args } = plain;
  if (commands !== undefined) return commandsIn(commands);
  if (typeof command !== 'string') return commandsIn(cmd);
  const words: readonly unknown[] = Array.isArray(args) ? args : [];
  return [words.length === 0 ? command : [command, ...words].map((word) => quoted(String(word))).join(' ')];
}

export function filesIn(given: unknown): readonly string[] {
  const plain = plainOf(given);
  if (typeof plain === 'string') return [plain];
  if (Array.isArray(plain)) return plain.flatMap(filesIn);
  if (!isObject(plain)) return [];
  const { path, file_path, filePath, ...lists } = plain;
  const one = [path, file_path, filePath].flatMap((each) => text(each) ?? []);
  const { files, file_paths, paths } = lists;
  return [...one, ...[files, file_paths, paths].flatMap(filesIn)];
}

/** A list or an object may be JSON in a text. */
function plainOf(given: unknown): unknown {
  if (typeof given !== 'string' || !/^\s*(?:\[\s*["{]|\{\s*")/.test(given)) return given;
  return parsed(given) ?? given;
}
