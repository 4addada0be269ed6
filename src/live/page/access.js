/** Whether this page may write. The address that the browser shows only watches; the key to write is kept in the browser. */

const STORED = 'hookline';

let key;

/** With the name of the watching address, if the page was opened with the key: moves the page to that address. */
export function setUpAccess(watch) {
  const [, opened] = location.pathname.split('/');
  key = watch === undefined || opened === watch ? read(opened) : opened;
  if (key === opened && write(watch, key))
    history.replaceState(null, '', `/${watch}/${location.search}${location.hash}`);
  document.body.dataset.access = canWrite() ? 'write' : 'watch';
}

export const canWrite = () => key !== undefined;

/** Where to send a change. */
export const pathTo = (name) => (key === undefined ? name : `/${key}/${name}`);

function read(watch) {
  try {
    const stored = JSON.parse(localStorage.getItem(STORED) ?? '{}');
    return stored.watch === watch ? stored.key : undefined;
  } catch {
    return undefined;
  }
}

/** Returns whether it worked: a browser may keep nothing. */
function write(watch, value) {
  try {
    localStorage.setItem(STORED, JSON.stringify({ watch, key: value }));
    return true;
  } catch {
    return false;
  }
}
