import { lstatSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { UnreadableFileError } from '../history/lines.ts';

/**
 * Copies what was kept of a trial to another run directory, and resolves to whether it was there. A run directory may come from anywhere, and what a kernel left behind may have links
 * in it that lead anywhere: they are copied as links, and nothing is read or written through them.
 * @param artefacts Relative to both run directories, as a record has it.
 * @throws {UnreadableFileError} When a link is on the way there.
 */
export async function copyArtefacts(artefacts: string, from: string, to: string): Promise<boolean> {
  for (const runDirectory of [from, to]) requireNoLink(runDirectory, artefacts);
  if (!lookAt(join(from, artefacts))) return false;
  await cp(join(from, artefacts), join(to, artefacts), { recursive: true, verbatimSymlinks: true });
  return true;
}

function requireNoLink(runDirectory: string, artefacts: string): void {
  let path = runDirectory;
  for (const name of artefacts.split('/')) {
    path = join(path, name);
    if (lookAt(path)?.isSymbolicLink())
      throw new UnreadableFileError(
        path,
        null,
        'it is a symbolic link where a record has its artefacts. Take the run directory as the run wrote it',
      );
  }
}

const lookAt = (path: string) => lstatSync(path, { throwIfNoEntry: false });
