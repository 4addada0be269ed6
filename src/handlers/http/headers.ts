/** The headers of one request: what the hook's author wrote, with the variables that may be told. */
import { type HttpOptions, isHeaderValue } from './options.js';

export type Variables = Readonly<Record<string, string | undefined>>;

export interface FilledHeaders {
  readonly headers: Record<string, string>;
  /** What was left empty, without any value. */
  readonly notes: readonly string[];
  /** The header whose value cannot be sent as it came out. */
  readonly unusable?: string;
}

const VARIABLE = /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g;

export function fillHeaders(options: HttpOptions, variables: Variables): FilledHeaders {
  const allowed = new Set(options.allowedEnvVars);
  const headers: Record<string, string> = {};
  const notes: string[] = [];
  for (const [name, template] of Object.entries(options.headers ?? {})) {
    const fill = (variable: string): string => {
      if (!allowed.has(variable)) {
        notes.push(`header ${name}: $${variable} is left empty, it is not in allowedEnvVars`);
        return '';
      }
      const value = variables[variable];
      if (value === undefined) notes.push(`header ${name}: $${variable} is left empty, it is not set`);
      return value ?? '';
    };
    const value = template.replaceAll(VARIABLE, (_, braced, bare) => fill(braced ?? bare)).trim();
    if (!isHeaderValue(value)) return { headers: {}, notes, unusable: name };
    headers[name] = value;
  }
  return { headers, notes };
}
