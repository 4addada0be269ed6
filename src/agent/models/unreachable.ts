/** Connections that could not be made: which host, why, and what to check. */

interface Cause extends Error {
  readonly code?: unknown;
  readonly hostname?: unknown;
  readonly address?: unknown;
  readonly port?: unknown;
}

/** An error and what caused it, from the outside in. */
export function causesOf(error: unknown): readonly Cause[] {
  const causes: Cause[] = [];
  for (let each = error; causes.length < 5 && each instanceof Error; each = each.cause) {
    // An attempt for each address of the host; the first says as much as the others.
    const [first] = each instanceof AggregateError ? (each.errors as unknown[]) : [];
    causes.push(each as Cause);
    if (first instanceof Error) causes.push(first as Cause);
  }
  return causes;
}

const REASONS: Readonly<Record<string, { readonly why: (host: string) => string; readonly hint: string }>> = {
  ECONNREFUSED: {
    why: (host) => `nothing accepts connections at ${host}`,
    hint: 'Check `baseURL`, and that the server runs.',
  },
  ENOTFOUND: {
    why: (host) => `there is no host ${host}`,
    hint: 'Check `baseURL` and the network of this machine.',
  },
  EAI_AGAIN: {
    why: (host) => `the name ${host} could not be looked up`,
    hint: 'Check the network of this machine and its name server.',
  },
  EHOSTUNREACH: { why: noWay, hint: 'Check `baseURL` and the network of this machine.' },
  ENETUNREACH: { why: noWay, hint: 'Check the network of this machine.' },
  ETIMEDOUT: { why: silent, hint: 'Check `baseURL`, and whether a proxy or firewall is in between.' },
  UND_ERR_CONNECT_TIMEOUT: {
    why: silent,
    hint: 'Check `baseURL`, and whether a proxy or firewall is in between.',
  },
};

function noWay(host: string): string {
  return `there is no way to ${host}`;
}

function silent(host: string): string {
  return `${host} does not answer`;
}

/** Undefined if a connection was made, or it is not known. */
export function unreachable(error: unknown): { readonly why: string; readonly hint: string } | undefined {
  for (const { code, hostname, address, port } of causesOf(error).toReversed()) {
    const reason = REASONS[String(code)];
    if (reason === undefined) continue;
    const host = [hostname ?? address, port].filter((part) => part !== undefined).join(':');
    return { why: `${reason.why(host || 'the host')} (${String(code)})`, hint: reason.hint };
  }
  return undefined;
}
