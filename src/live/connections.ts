/** Limits connections: those that have not presented the token are closed, oldest first, to make room for new ones. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const MAX_STRANGERS = 128;
const MAX_ADMITTED = 128;

export class Connections {
  /** Connections without the token, oldest first. */
  readonly #strangers = new Set<Socket>();
  readonly #admitted = new Set<Socket>();

  watch(server: Server): void {
    server.on('connection', (socket) => this.#add(socket));
  }

  isAdmitted(socket: Socket): boolean {
    return this.#admitted.has(socket);
  }

  /** Called when a connection has presented the token. Returns false if there is no room for it. */
  admit(socket: Socket): boolean {
    if (this.#admitted.has(socket)) return true;
    if (this.#admitted.size >= MAX_ADMITTED || !this.#strangers.delete(socket)) return false;
    this.#admitted.add(socket);
    return true;
  }

  #add(socket: Socket): void {
    const [oldest] = this.#strangers;
    if (this.#strangers.size >= MAX_STRANGERS) oldest?.destroy();
    this.#strangers.add(socket);
    socket.once('close', () => {
      this.#strangers.delete(socket);
      this.#admitted.delete(socket);
    });
  }
}
