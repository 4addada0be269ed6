// Loaded before a program: the package redis is not there, as on a machine that has not installed it.
import { register } from 'node:module';

const hooks = `
  export async function resolve(specifier, context, next) {
    if (specifier !== 'redis') return next(specifier, context);
    throw Object.assign(new Error('Cannot find package redis'), { code: 'ERR_MODULE_NOT_FOUND' });
  }
`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
