/** Which version of this package runs, and from which commit it was built. */

/** As in package.json. */
export const VERSION = '0.2.0';

/** Replaced by the build. */
declare const BUILD_COMMIT: string | undefined;

/** Undefined for code that was not built, or not in a repository. */
export const COMMIT = typeof BUILD_COMMIT === 'undefined' ? undefined : BUILD_COMMIT;
