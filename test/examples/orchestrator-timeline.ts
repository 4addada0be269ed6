/** What the three agents of the orchestrator example do, whichever mailbox they talk through. */
export const ORCHESTRATOR_TIMELINE = ` 1  ada  starts
 1  bob  starts
 1  cyd  starts
 2  ada  hands in an answer (.env stays behind, secret)
 2  bob  runs its tests
 2  cyd  builds something large
 3  ada  runs its tests
 3  bob  is sent ada's answer as agent1.1, with slug.mjs
 3  cyd  is sent ada's answer as agent1.1, with slug.mjs
 4  bob  hands in an answer
 4  cyd  is killed in the middle of its work
 5  ada  is sent bob's answer as agent3.1, with slug.mjs
 5  bob  votes for agent2.1, which is bob's
 5  cyd  was never told of ada.1 for cyd: it is carried over
 6  ada  votes for agent3.1, which is bob's
answer ada.1 for bob: delivered
answer ada.1 for cyd: carried
answer bob.1 for ada: delivered
bob wins: export const slug = (text) => text.trim().toLowerCase().replaceAll(/\\s+/g, '-');`;
