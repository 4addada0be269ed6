/**
 * hookline/files: a mailbox that processes of one machine share through a directory, and support for MassGen's
 * injection file.
 */
export { MailboxDiskError } from './disk-error.js';
export { openFileMailbox } from './file-mailbox.js';
export {
  importMassgenFile,
  MASSGEN_FILE,
  type MassgenImport,
  type MassgenWrite,
  writeMassgenFile,
} from './massgen-file.js';
export type { FileMailbox, FileMailboxOptions } from './options.js';
