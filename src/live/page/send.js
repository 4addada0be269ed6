/** Sends something to the server. */

/** Never rejects: what went wrong is the `error` of the answer. */
export async function send(where, body) {
  try {
    const response = await fetch(where, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return await response.json();
  } catch {
    return { error: 'It could not be sent: the connection is lost.' };
  }
}
