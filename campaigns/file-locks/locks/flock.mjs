import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
// @ts-expect-error: the package is the subject's
import { tryLock } from 'fs-native-extensions';

/** A lock of the operating system on an open file, which it takes back when the process is gone. The file stays; that the holder's name is in it is for the harness. @param {string} path @param {{ session: string }} options */
export async function acquire(path, { session }) {
  const fd = openSync(path, 'a+');
  while (!tryLock(fd)) await sleep(100);
  ftruncateSync(fd);
  writeSync(fd, session);
  return () => closeSync(fd);
}
