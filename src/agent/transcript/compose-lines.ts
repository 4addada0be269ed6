/** Converts entries to the text of transcript lines. Pure except for generated ids. */
import { randomUUID } from 'node:crypto';
import type { ContentBlock, ToolResultBlock } from '../models/port.js';
import type { AddedText } from './added-text.js';
import {
  type AssistantLine,
  type AttachmentLine,
  assistantMessage,
  CLEARED,
  COMPACT_BOUNDARY,
  HOOK_CONTEXT,
  type NewLine,
  type NewUserLine,
  REPLACED,
  SPENDING,
  type SystemLine,
  TITLE,
  type TitleLine,
  type TranscriptLine,
  type UserLine,
} from './line.js';

/** The fields that all lines of a transcript share, at the time of writing. */
export interface LineFrame {
  readonly sessionId: string;
  readonly agentId?: string | undefined;
  readonly version: string;
  readonly cwd: string;
  readonly gitBranch?: string | undefined;
  readonly at: Date;
}

/** A line as text, without its parent, which is known only when the lines before it have been written. */
export interface ComposedLine {
  readonly uuid: string;
  readonly json: string;
  /** A conversation starts here, so the line before is not its parent. */
  readonly isBeginning: boolean;
}

type Own<Line extends TranscriptLine> = Omit<
  Line,
  | 'parentUuid'
  | 'isSidechain'
  | 'userType'
  | 'cwd'
  | 'sessionId'
  | 'version'
  | 'gitBranch'
  | 'agentId'
  | 'uuid'
  | 'timestamp'
>;
type OwnFields = Own<UserLine> | Own<AssistantLine> | Own<AttachmentLine> | Own<TitleLine> | Own<SystemLine>;

const BEGINNINGS: ReadonlySet<string> = new Set([COMPACT_BOUNDARY, CLEARED]);

/** Throws if the entry is not JSON data (cycles, BigInts). */
export function composeLines(entry: NewLine, frame: LineFrame): readonly ComposedLine[] {
  return ownFields(entry).map((fields) => composeLine(fields, frame));
}

function composeLine(fields: OwnFields, frame: LineFrame): ComposedLine {
  const uuid = randomUUID();
  // The key order of Claude Code's own lines, because people read these files too.
  const { type, ...others } = fields;
  const line: Omit<TranscriptLine, 'parentUuid'> = {
    isSidechain: frame.agentId !== undefined,
    userType: 'external',
    cwd: frame.cwd,
    sessionId: frame.sessionId,
    version: frame.version,
    ...(frame.gitBranch !== undefined && { gitBranch: frame.gitBranch }),
    ...(frame.agentId !== undefined && { agentId: frame.agentId }),
    type,
    ...others,
    uuid,
    timestamp: frame.at.toISOString(),
  };
  const isBeginning = type === 'system' && BEGINNINGS.has(fields.subtype);
  return { uuid, json: escapeLineEnds(JSON.stringify(line)), isBeginning };
}

/** The finished line, with its line end. The JSON text already exists, so the parent is inserted as text. */
export function linkLine({ json, isBeginning }: ComposedLine, parent: string | undefined): string {
  const link: Pick<SystemLine, 'parentUuid' | 'logicalParentUuid'> = isBeginning
    ? { parentUuid: null, logicalParentUuid: parent ?? null }
    : { parentUuid: parent ?? null };
  return `${JSON.stringify(link).slice(0, -1)},${json.slice(1)}\n`;
}

/**
 * Some languages treat these characters as line ends, which would break scripts that read transcripts line by line.
 */
function escapeLineEnds(json: string): string {
  return json.replaceAll(
    /[\u0085\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function ownFields(entry: NewLine): readonly OwnFields[] {
  switch (entry.type) {
    case 'user':
      return userLines(entry);
    case 'assistant':
      return [{ type: 'assistant', message: assistantMessage(entry) }];
    case 'system': {
      const { type, subtype, content, level = 'info' } = entry;
      return [{ type, subtype, content, level }];
    }
    case 'title':
      return [{ type: TITLE, customTitle: entry.title }];
    case 'spending':
      return [
        {
          type: 'system',
          subtype: SPENDING,
          content: 'What the session has used so far.',
          level: 'info',
          modelUsage: entry.byModel,
        },
      ];
    case 'replacement':
      return [
        {
          type: 'system',
          subtype: REPLACED,
          content: 'Parts of the conversation so far were replaced by smaller ones.',
          level: 'info',
          replacedBlocks: entry.blocks,
        },
      ];
    case 'clear':
      return [
        {
          type: 'system',
          subtype: CLEARED,
          content: 'The conversation so far was cleared.',
          level: 'info',
        },
      ];
    case 'compaction': {
      const { trigger, preTokens, summary } = entry;
      return [
        {
          type: 'system',
          subtype: COMPACT_BOUNDARY,
          content: 'The conversation so far was replaced by a summary.',
          level: 'info',
          compactMetadata: { trigger, preTokens },
        },
        { type: 'user', message: { role: 'user', content: plainest(summary) }, isCompactSummary: true },
      ];
    }
  }
}

/** A line for what the user said, and one for each result and each text that was added to it, in their order. */
function userLines(entry: NewUserLine): OwnFields[] {
  const { content, isMeta } = entry;
  if (typeof content === 'string') return [userLine(entry, content, isMeta)];
  const lines: OwnFields[] = [];
  let said: ContentBlock[] = [];
  const close = (): void => {
    if (said.length > 0) lines.push(userLine(entry, said, isMeta));
    said = [];
  };
  for (const item of content) {
    if (item.type !== 'added' && item.type !== 'tool_result') {
      said.push(item);
      continue;
    }
    close();
    lines.push(item.type === 'added' ? addedLine(entry, item) : resultLine(entry, item));
  }
  close();
  return lines;
}

function resultLine(entry: NewUserLine, result: ToolResultBlock): OwnFields {
  const toolUseResult = entry.toolUseResults?.[result.tool_use_id];
  return {
    ...userLine(entry, [result], entry.isMeta),
    ...(toolUseResult !== undefined && { toolUseResult }),
  };
}

function addedLine(entry: NewUserLine, { text, context }: AddedText): OwnFields {
  if (context === undefined) return userLine(entry, text, true);
  return { type: 'attachment', attachment: { type: HOOK_CONTEXT, ...context } };
}

function userLine(
  { promptId }: NewUserLine,
  content: string | readonly ContentBlock[],
  isMeta = false,
): Own<UserLine> {
  return {
    type: 'user',
    message: { role: 'user', content: plainest(content) },
    ...(promptId !== undefined && { promptId }),
    ...(isMeta && { isMeta }),
  };
}

/** A message with a single text becomes a plain string, as scripts expect of a prompt. */
function plainest(content: string | readonly ContentBlock[]): string | readonly ContentBlock[] {
  const [only, ...others] = content;
  return typeof only === 'object' && only.type === 'text' && others.length === 0 ? only.text : content;
}
