/** The names of hookline's own configuration files. */

export const HOOKLINE_FILES: readonly string[] = [
  'hookline.yaml',
  'hookline.yml',
  'hookline.json',
  'hookline.mjs',
];
