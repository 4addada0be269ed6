/** The title of a session: where hooks may set it, and what they see of it. */
import type { HookOutcome } from '../../runner/outcome.js';
import type { Session } from './session.js';

/** The transcript keeps it, so that a resumed session has it too. */
export function setTitle(session: Session, title: string): void {
  if (title === session.title) return;
  session.title = title;
  void session.main.transcript?.append({ type: 'title', title });
}

/** The last hook that gives a title decides. */
export function takeTitle(
  session: Session,
  { hookSpecificOutputs }: HookOutcome<'SessionStart'> | HookOutcome<'UserPromptSubmit'>,
): void {
  const titles = hookSpecificOutputs.flatMap(({ sessionTitle }) =>
    sessionTitle?.trim() ? [sessionTitle] : [],
  );
  const title = titles.at(-1);
  if (title !== undefined) setTitle(session, title);
}

/** The field of the inputs that have it. */
export const titleField = ({ title }: Session): { session_title?: string } =>
  title === undefined ? {} : { session_title: title };
