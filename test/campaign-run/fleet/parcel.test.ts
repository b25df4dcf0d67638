import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PARCEL_BYTES_MAX, type Parcel, pack, unpack } from '../../../src/campaign-run/fleet/parcel.ts';

let place: string;
let from: string;
let to: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'crash-campaign-parcel-'));
  [from, to] = [join(place, 'from'), join(place, 'to')];
  mkdirSync(from);
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const through = async (directory: string) => JSON.parse(JSON.stringify(await pack(directory))) as Parcel;

test('what is unpacked is what was packed, and what lay there before is gone', async () => {
  mkdirSync(join(from, 'state/empty'), { recursive: true });
  writeFileSync(join(from, 'history.ndjson'), '{"type":"started"}\n');
  writeFileSync(join(from, 'state/bytes'), randomBytes(1000));
  symlinkSync('bytes', join(from, 'state/link'));
  mkdirSync(to);
  writeFileSync(join(to, 'of-a-harness-that-was-killed'), '');
  await unpack(await through(from), to);
  expect(new Set(readdirSync(to, { recursive: true, encoding: 'utf8' }))).toEqual(
    new Set(['history.ndjson', 'state', 'state/bytes', 'state/empty', 'state/link']),
  );
  expect(readFileSync(join(to, 'state/bytes'))).toEqual(readFileSync(join(from, 'state/bytes')));
  expect(readlinkSync(join(to, 'state/link'))).toBe('bytes');
});

test('where there is not room for all, the history comes first, and what is left out is named', async () => {
  // Random bytes are compressed to no less than they are.
  const bytes = PARCEL_BYTES_MAX / 2;
  for (const name of ['a', 'b', 'history.ndjson']) writeFileSync(join(from, name), randomBytes(bytes));
  writeFileSync(join(from, 'small'), 'x');
  await unpack(await through(from), to);
  expect(readdirSync(to).sort()).toEqual(['LEFT-OUT-OF-PARCEL.txt', 'history.ndjson', 'small']);
  const said = readFileSync(join(to, 'LEFT-OUT-OF-PARCEL.txt'), 'utf8');
  for (const name of ['a', 'b']) expect(said).toContain(`${name}: its ${bytes} bytes`);
});

test.each(['../outside', '/outside', 'a/../../outside', '.'])('a file that would lie at %s is refused, and not written', async (path) => {
  await expect(unpack([{ path, is: 'file', gzip: '' }], to)).rejects.toThrow('which would lie outside');
  expect(existsSync(join(place, 'outside'))).toBe(false);
});
