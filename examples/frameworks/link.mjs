/** Makes `hookline` the package of this repository, as it was built last. */
import { rmSync, symlinkSync } from 'node:fs';

const place = new URL('node_modules/hookline', import.meta.url);
rmSync(place, { recursive: true, force: true });
symlinkSync('../../..', place, 'junction');
