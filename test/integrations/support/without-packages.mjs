// Loaded before a program: the optional packages are not there, as on a machine that has not installed them.
import { register } from 'node:module';

const hooks = `
  const ABSENT = /^(@anthropic-ai\\/claude-agent-sdk|@modelcontextprotocol\\/sdk)/;
  export async function resolve(specifier, context, next) {
    if (!ABSENT.test(specifier)) return next(specifier, context);
    throw Object.assign(new Error('Cannot find package ' + specifier), { code: 'ERR_MODULE_NOT_FOUND' });
  }
`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
