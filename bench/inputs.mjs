// What is fired, and who hears it: the same for every contender.

export const callback = async () => ({});

export const input = {
  tool_name: 'Bash',
  tool_input: { command: 'x'.repeat(900) },
  tool_use_id: 'toolu_1',
};

export function groupOf(count, matcher = 'Bash') {
  return [{ matcher, hooks: Array.from({ length: count }, () => callback) }];
}

/** About so many bytes in one string. */
export function stringInput(bytes) {
  return { ...input, tool_input: { command: 'x'.repeat(bytes) } };
}

/** About so many bytes in many small objects. */
export function treeInput(bytes) {
  const files = Array.from({ length: Math.round(bytes / 100) }, (_, i) => ({
    path: `src/folder-${i % 100}/file-${i}.ts`,
    lines: { from: i, to: i + 10 },
    tags: ['code', `n${i}`],
  }));
  return { ...input, tool_input: { files } };
}
