/** Copies a workspace: from where, to where. For tests that kill it in the middle. */
import { copyWorkspace } from '../../../../src/integrations/workspaces/index.js';

const [from = '', to = ''] = process.argv.slice(2);
await copyWorkspace(from, to);
