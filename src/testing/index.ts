/** Testing tools: the mailbox contract as checks, recordings of fires, hook tests, and sample inputs. */
export { defineHookTests, type HookExpectation, type HookTest } from './hook-tests/define.js';
export type { MailboxFeature } from './mailbox-kit/features.js';
export type {
  LeftOutCheck,
  MailboxCheck,
  MailboxContract,
  MailboxContractOptions,
  MailboxSetup,
  MailboxUnderTest,
} from './mailbox-kit/types.js';
export { mailboxContract } from './mailbox-kit.js';
export { type Recorder, type RecorderOptions, recordFires } from './recording/recorder.js';
export { SAMPLE_SESSION, SAMPLES, sampleFields, sampleInput } from './samples.js';
