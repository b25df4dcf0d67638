import {
  appendFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Durability, openDurability } from '../../../src/driver/sim/durability.ts';

let top: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'durability-'));
});
afterEach(() => rmSync(top, { recursive: true }));

/** A state directory with its account, on which one change after another is made. */
interface Disk {
  path(name: string): string;
  /** A change by a session, on h1 unless it is said otherwise. */
  does(paths: string[], change: () => void, host?: string | null): void;
  sync(...paths: string[]): void;
}

/** Does the same on a new disk for each of many seeds, cuts the power, and tells what was left each time: each file with its content. */
function leftOvers(
  work: (disk: Disk) => void,
  setup: (path: (name: string) => string) => void = () => {},
  host = 'h1',
): Record<string, string>[] {
  return Array.from({ length: 40 }, (_, seed) => {
    const root = join(top, String(seed));
    mkdirSync(root);
    const path = (name: string) => join(root, name);
    setup(path);
    const account: Durability = openDurability(root, seed);
    account.begin();
    work({
      path,
      does(paths, change, by = 'h1') {
        change();
        account.changed(by, paths);
      },
      sync: (...paths) => paths.forEach((name) => account.synced(name)),
    });
    account.cut(host);
    const names = readdirSync(root, { recursive: true }) as string[];
    return Object.fromEntries(
      names.sort().map((name) => [name, statSync(path(name)).isDirectory() ? '/' : readFileSync(path(name), 'utf8')]),
    );
  });
}

const kinds = (left: unknown[]) => [...new Set(left.map((one) => JSON.stringify(one)))].sort();

function create({ does, path }: Disk, name: string, content: string) {
  does([name], () => writeFileSync(path(name), ''));
  does([name], () => writeFileSync(path(name), content));
}

describe('of a new file', () => {
  test('nothing, an empty file, or all survives when nothing was synced', () => {
    expect(kinds(leftOvers((disk) => create(disk, 'a', 'one')))).toEqual(['{"a":""}', '{"a":"one"}', '{}']);
  });

  test('the name can be lost when only the file was synced', () => {
    const left = leftOvers((disk) => {
      create(disk, 'a', 'one');
      disk.sync('a');
    });
    expect(kinds(left)).toEqual(['{"a":"one"}', '{}']);
  });

  test('all survives when both were synced', () => {
    const left = leftOvers((disk) => {
      create(disk, 'a', 'one');
      disk.sync('a', '.');
    });
    expect(kinds(left)).toEqual(['{"a":"one"}']);
  });
});

test('appends survive up to one of them', () => {
  const left = leftOvers(
    ({ does, path, sync }) => {
      does(['a'], () => appendFileSync(path('a'), '1'));
      sync('a');
      for (const text of ['2', '3']) does(['a'], () => appendFileSync(path('a'), text));
    },
    (path) => writeFileSync(path('a'), '0'),
  );
  expect(kinds(left)).toEqual(['{"a":"01"}', '{"a":"012"}', '{"a":"0123"}']);
});

test('an overwritten and truncated file is one of what it was', () => {
  const left = leftOvers(
    ({ does, path }) => {
      does(['a'], () => writeFileSync(path('a'), 'olf'));
      does(['a'], () => truncateSync(path('a'), 1));
    },
    (path) => writeFileSync(path('a'), 'old'),
  );
  expect(kinds(left)).toEqual(['{"a":"o"}', '{"a":"old"}', '{"a":"olf"}']);
});

describe('a file that is replaced by renaming another over it', () => {
  const replace = (...synced: string[]) =>
    leftOvers(
      (disk) => {
        create(disk, 'a.tmp', 'new');
        if (synced.includes('a.tmp')) disk.sync('a.tmp');
        disk.does(['a.tmp', 'a'], () => renameSync(disk.path('a.tmp'), disk.path('a')));
        if (synced.includes('.')) disk.sync('.');
      },
      (path) => writeFileSync(path('a'), 'old'),
    );

  test('can be empty when the other had not been synced', () => {
    expect(kinds(replace())).toContain('{"a":""}');
  });

  test('is the old or the new one when the other had been synced', () => {
    expect(kinds(replace('a.tmp').map(({ a }) => a))).toEqual(['"new"', '"old"']);
  });

  test('is the new one when the directory was synced too', () => {
    expect(kinds(replace('a.tmp', '.'))).toEqual(['{"a":"new"}']);
  });
});

describe('a rename between two directories', () => {
  const move = (...synced: string[]) =>
    leftOvers(
      ({ does, path, sync }) => {
        does(['x/a', 'y/a'], () => renameSync(path('x/a'), path('y/a')));
        sync(...synced);
      },
      (path) => {
        mkdirSync(path('x'));
        mkdirSync(path('y'));
        writeFileSync(path('x/a'), 'one');
      },
    );

  test('survives at both ends or at none', () => {
    expect(kinds(move())).toEqual(['{"x":"/","x/a":"one","y":"/"}', '{"x":"/","y":"/","y/a":"one"}']);
  });

  test.each(['x', 'y'])('survives when %s was synced', (end) => {
    expect(kinds(move(end))).toEqual(['{"x":"/","y":"/","y/a":"one"}']);
  });
});

test('a removed file can come back, and so can a removed directory with what is in it', () => {
  const left = leftOvers(
    ({ does, path }) => {
      does(['a'], () => unlinkSync(path('a')));
      does(['d'], () => rmSync(path('d'), { recursive: true }));
    },
    (path) => {
      writeFileSync(path('a'), 'one');
      mkdirSync(path('d'));
      writeFileSync(path('d/b'), 'two');
    },
  );
  expect(kinds(left)).toEqual(['{"a":"one","d":"/","d/b":"two"}', '{"d":"/","d/b":"two"}', '{}']);
});

test('a file made anew under the inode number of a removed one is another', () => {
  const left = leftOvers(
    (disk) => {
      disk.does(['a'], () => unlinkSync(disk.path('a')));
      create(disk, 'a', 'new');
      disk.sync('a');
    },
    (path) => writeFileSync(path('a'), 'old'),
  );
  expect(kinds(left)).toEqual(['{"a":"new"}', '{"a":"old"}', '{}']);
});

test('two names of one file stay two names of one file', () => {
  const left = leftOvers(
    ({ does, path, sync }) => {
      does(['a', 'b'], () => linkSync(path('a'), path('b')));
      sync('.');
      does(['a'], () => writeFileSync(path('a'), 'new'));
    },
    (path) => writeFileSync(path('a'), 'old'),
  );
  expect(kinds(left)).toEqual(['{"a":"new","b":"new"}', '{"a":"old","b":"old"}']);
  const ends = Array.from({ length: 40 }, (_, seed) => ['a', 'b'].map((name) => statSync(join(top, String(seed), name)).ino));
  expect(ends.every(([a, b]) => a === b)).toBe(true);
});

test('a lost name of a file comes back as a name of the same file', () => {
  const left = leftOvers(
    ({ does, path }) => does(['b'], () => unlinkSync(path('b'))),
    (path) => {
      writeFileSync(path('a'), 'one');
      linkSync(path('a'), path('b'));
    },
  );
  expect(kinds(left)).toEqual(['{"a":"one","b":"one"}', '{"a":"one"}']);
  left.forEach((files, seed) => {
    if ('b' in files) expect(statSync(join(top, String(seed), 'b')).ino).toBe(statSync(join(top, String(seed), 'a')).ino);
  });
});

test('a change is seen that neither size nor times tell of', () => {
  const left = leftOvers(
    ({ does, path, sync }) => {
      for (const content of ['one', 'two']) {
        does(['a'], () => {
          writeFileSync(path('a'), content);
          utimesSync(path('a'), 1000, 1000);
        });
      }
      sync('a');
    },
    (path) => writeFileSync(path('a'), 'old'),
  );
  expect(kinds(left)).toEqual(['{"a":"two"}']);
});

test('a symbolic link comes and goes as a whole', () => {
  const left = leftOvers(
    ({ does, path }) => does(['l'], () => symlinkSync('a', path('l'))),
    (path) => writeFileSync(path('a'), 'one'),
  );
  expect(kinds(left)).toEqual(['{"a":"one","l":"one"}', '{"a":"one"}']);
});

test('times survive with the content that they belong to', () => {
  const stamps = new Set<number>();
  leftOvers(
    ({ does, path }) => does(['a'], () => utimesSync(path('a'), 2000, 2000)),
    (path) => {
      writeFileSync(path('a'), 'one');
      utimesSync(path('a'), 1000, 1000);
    },
  ).forEach((_, seed) => stamps.add(statSync(join(top, String(seed), 'a')).mtimeMs));
  expect(stamps).toEqual(new Set([1_000_000, 2_000_000]));
});

test.each([['h2'], [null]])('what %s has done stays, with all before it', (by) => {
  const left = leftOvers(
    ({ does, path }) => {
      does(['a'], () => appendFileSync(path('a'), '1'));
      does(['a'], () => appendFileSync(path('a'), '2'), by);
      does(['a'], () => appendFileSync(path('a'), '3'));
    },
    (path) => writeFileSync(path('a'), '0'),
  );
  expect(kinds(left)).toEqual(['{"a":"012"}', '{"a":"0123"}']);
});

test('a second cut takes back only what came after the first', () => {
  const root = join(top, 'twice');
  mkdirSync(root);
  const account = openDurability(root, 7);
  account.begin();
  appendFileSync(join(root, 'a'), 'one');
  account.changed('h1', ['a']);
  account.cut('h1');
  const first = readdirSync(root);
  account.cut('h1');
  expect(readdirSync(root)).toEqual(first);
});

test('a file that is too large is told of once, and left as it is', () => {
  const root = join(top, 'large');
  mkdirSync(root);
  writeFileSync(join(root, 'a'), 'small');
  const account = openDurability(root, 1);
  account.begin();
  truncateSync(join(root, 'a'), 100_000_000);
  expect(account.changed('h1', ['a'])).toEqual(['a']);
  expect(account.changed('h1', ['a'])).toEqual([]);
  account.cut('h1');
  expect(statSync(join(root, 'a')).size).toBe(100_000_000);
});
