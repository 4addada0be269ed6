// Loaded before a program: OpenTelemetry is not there, as on a machine that has not installed it.
import { register } from 'node:module';

const hooks = `
  export async function resolve(specifier, context, next) {
    if (!specifier.startsWith('@opentelemetry/')) return next(specifier, context);
    throw Object.assign(new Error('Cannot find package ' + specifier), { code: 'ERR_MODULE_NOT_FOUND' });
  }
`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
