/** Sends something to the server. */
import { pathTo } from './access.js';

/** Never rejects: an error is returned as `error`. */
export async function send(where, body) {
  try {
    const response = await fetch(pathTo(where), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return await response.json();
  } catch {
    return { error: 'The message could not be sent: the connection is lost.' };
  }
}
