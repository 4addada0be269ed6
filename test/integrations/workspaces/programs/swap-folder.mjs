/** Puts a link in the place of a folder and the folder back, again and again. */
import { renameSync, symlinkSync, unlinkSync } from 'node:fs';

const [folder, outside] = process.argv.slice(2);
process.stdout.write('ready\n');
for (;;) {
  for (let i = 0; i < 50; i += 1) {
    renameSync(folder, `${folder}.away`);
    symlinkSync(outside, folder);
    unlinkSync(folder);
    renameSync(`${folder}.away`, folder);
  }
  await new Promise((resolve) => setTimeout(resolve, 1));
}
