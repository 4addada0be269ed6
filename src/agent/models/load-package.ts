/** Loads an SDK on first use: SDKs are optional, and most hosts install one or none. */
import { messageOf } from '../../base/errors.js';
import { ModelError } from './port.js';

/** Contract: rejects only with a `ModelError` with code `missing_package` that says what to install. */
export async function loadPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const why = isAbsent(cause) ? 'is not installed' : `cannot be loaded (${messageOf(cause)})`;
    throw new ModelError(
      'missing_package',
      `This model needs the package ${name}, which ${why}: npm install ${name}`,
      {
        cause,
      },
    );
  }
}

function isAbsent(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND';
}
