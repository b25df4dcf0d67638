import { mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

/** What is kept of one trial may be so large on its way through Redis, compressed. */
export const PARCEL_BYTES_MAX = 4 * 1024 * 1024;

/** The files of a trial, as they are sent. */
export type Parcel = ({ path: string } & ({ is: 'file'; gzip: string } | { is: 'directory' } | { is: 'link'; to: string }))[];

/** Comes first, because a trial that broke is understood by it. */
const FIRST = 'history.ndjson';

/** Packs a directory. Files that would go beyond `PARCEL_BYTES_MAX` are named in `LEFT-OUT-OF-PARCEL.txt`. */
export async function pack(directory: string): Promise<Parcel> {
  const parcel: Parcel = [];
  const leftOut: string[] = [];
  let room = PARCEL_BYTES_MAX;

  async function add(path: string, content: Buffer) {
    const zipped = (await promisify(gzip)(content)).toString('base64');
    if (zipped.length > room)
      leftOut.push(`${path}: its ${content.length} bytes, ${zipped.length} compressed, would go beyond ${PARCEL_BYTES_MAX}`);
    else {
      room -= zipped.length;
      parcel.push({ path, is: 'file', gzip: zipped });
    }
  }

  async function addTree(inside: string) {
    const entries = await readdir(join(directory, inside), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => Number(b.name === FIRST) - Number(a.name === FIRST) || (a.name < b.name ? -1 : 1))) {
      const path = join(inside, entry.name);
      if (entry.isDirectory()) {
        parcel.push({ path, is: 'directory' });
        await addTree(path);
      } else if (entry.isSymbolicLink()) parcel.push({ path, is: 'link', to: await readlink(join(directory, path)) });
      else await add(path, await readFile(join(directory, path)));
    }
  }

  await addTree('');
  if (leftOut.length > 0) await add('LEFT-OUT-OF-PARCEL.txt', Buffer.from(`Not sent by the worker:\n${leftOut.join('\n')}\n`));
  return parcel;
}

/** Unpacks into a directory, in place of what is there. Links come last, so that nothing is written through one. */
export async function unpack(parcel: Parcel, directory: string): Promise<void> {
  // A harness that was killed may have unpacked half of it.
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  const placeOf = (path: string) => {
    const place = resolve(directory, path);
    if (!place.startsWith(directory + sep)) throw new Error(`a worker has sent the file ${path}, which would lie outside ${directory}`);
    return place;
  };
  for (const entry of parcel.toSorted((a, b) => Number(a.is === 'link') - Number(b.is === 'link'))) {
    const place = placeOf(entry.path);
    await mkdir(entry.is === 'directory' ? place : dirname(place), { recursive: true });
    if (entry.is === 'file') await writeFile(place, await promisify(gunzip)(Buffer.from(entry.gzip, 'base64')));
    if (entry.is === 'link') await symlink(entry.to, place);
  }
}
