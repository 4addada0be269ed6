import { expect, it } from 'vitest';
import { main, useTool } from './user.js';

it('FA-2 EV-7 what a user writes against the public names also runs', async () => {
  expect(await main()).toBe('{}');
  expect(await useTool({})).toBe('{}');
});
