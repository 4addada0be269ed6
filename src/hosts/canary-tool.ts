/** The name of a tool that does not exist: a call of it is always refused, which proves that the bridge works. */
export const CANARY_TOOL = 'hookline_canary';
