import { lstatSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LockAdapter, LockHolder, LockSite } from '../../src/locks/lock.ts';

export const LOCK = 'ledger.lock';

const at = ({ state }: LockSite) => join(state, LOCK);
const covers = (path: string) => path.startsWith(LOCK);
const releases = ({ kind }: { kind: string }) => kind === 'unlink';

/** The file's text; null: there is none. */
function text(site: LockSite): string | null {
  try {
    return readFileSync(at(site), 'utf8');
  } catch {
    return null;
  }
}

function damage(site: LockSite, how: string) {
  if (how === 'remove') rmSync(at(site), { force: true });
  else writeFileSync(at(site), how === 'garbage' ? '\u0000\u0001garbage' : '');
}

function setAge(site: LockSite, age_ms: number) {
  const time = (site.now_ms - age_ms) / 1000;
  utimesSync(at(site), time, time);
}

/** An empty file that names nobody; its age is the lease. */
export const emptyFile: LockAdapter = {
  kind: 'lockfile',
  covers,
  releases,
  inspect(site) {
    const found = lstatSync(at(site), { throwIfNoEntry: false });
    return found ? { is: 'held', holder: {}, expires_at_ms: Math.round(found.mtimeMs) + site.ttl_ms } : { is: 'free' };
  },
  steal(site) {
    rmSync(at(site), { force: true });
    writeFileSync(at(site), '');
    setAge(site, 0);
  },
  expire: (site) => setAge(site, site.ttl_ms + 1),
  corrupt: damage,
};

/** A file with the holder's pid, which is held until somebody removes it. While it is empty nobody knows whose it is. */
export const pidFile: LockAdapter = {
  kind: 'pid-file',
  covers,
  releases,
  inspect(site) {
    const found = text(site);
    if (found === null) return { is: 'free' };
    const holder: LockHolder = found === '' ? {} : { pid: Number(found) };
    return { is: 'held', holder, expires_at_ms: null };
  },
  steal: (site) => writeFileSync(at(site), '1'),
  expire: () => {
    throw new Error('a pid file has no lease');
  },
  corrupt: damage,
};

/** A file with the holder's name and the end of its time. */
export const exclTtl: LockAdapter = {
  kind: 'excl-ttl',
  covers,
  releases,
  inspect(site) {
    const found = text(site);
    if (found === null) return { is: 'free' };
    const [, session, expires] = /^(\S+) (\d{13})$/.exec(found) ?? [];
    if (session !== undefined) return { is: 'held', holder: { session }, expires_at_ms: Number(expires) };
    return { is: 'held', holder: {}, expires_at_ms: Math.round(statSync(at(site)).mtimeMs) + site.ttl_ms };
  },
  steal: (site) => writeFileSync(at(site), `thief ${site.now_ms + site.ttl_ms}`),
  expire: (site) => writeFileSync(at(site), `${text(site)?.split(' ')[0]} ${site.now_ms - 1}`),
  corrupt: damage,
};

/** Held while the operating system says so; by whom, the holder has written into the file. */
export const flock: LockAdapter = {
  kind: 'flock',
  covers,
  inspect(site) {
    const found = statSync(at(site), { throwIfNoEntry: false });
    const isHeld =
      found &&
      readFileSync('/proc/locks', 'utf8')
        .split('\n')
        .some((line) => line.includes(`:${found.ino} `));
    const session = isHeld ? text(site) : null;
    return session ? { is: 'held', holder: { session }, expires_at_ms: null } : { is: 'free' };
  },
  steal: impossible,
  expire: impossible,
  corrupt: impossible,
};

function impossible(): never {
  throw new Error('a lock of the operating system can be neither taken from its holder nor made to run out');
}
