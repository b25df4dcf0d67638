import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import picomatch from 'picomatch';
import type { DurableEvent, StateReading } from '../history/history.ts';
import type { LockSite } from '../locks/lock.ts';

/** What is on its way and no result, by the names that programs give to it. */
export const ON_THE_WAY = ['**/.*', '**/*.tmp', '**/*.tmp.*', '**/*.lock', '**/*.lock/**', '**/*.pid', '**/*.log'];

/**
 * A reader to begin with: every whole line of every file is an event, and a file without lines is one. It knows nothing of what the program means;
 * a reader that knows which facts there are, and who wrote them, sees more.
 * @param options.skip Globs of files that are no results, relative to the state directory, in place of the usual names of what is on its way
 * @param options.by `text`: the same line in a file twice is the same event twice. `place`: a line is known by its number, for files in which lines repeat.
 */
export function everyLine({
  skip = ON_THE_WAY,
  by = 'text',
}: {
  skip?: string[];
  by?: 'text' | 'place';
} = {}): (site: LockSite) => StateReading {
  const isSkipped = picomatch(skip, { dot: true });
  return ({ state }) => {
    const paths = readdirSync(state, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(state, join(entry.parentPath, entry.name)))
      .filter((path) => !isSkipped(path))
      .sort();
    return { events: paths.flatMap((path) => eventsOf(state, path, by)), work: [], unreadable: [], debris: [] };
  };
}

function eventsOf(state: string, path: string, by: 'text' | 'place'): DurableEvent[] {
  const text = contentOf(join(state, path));
  if (text === null || text === '') return [];
  // The last piece is empty, or a line that is not whole yet.
  const lines = text.split('\n').slice(0, -1);
  if (lines.length === 0) return [{ id: path, ref: path }];
  return lines.map((line, i) => {
    const ref = `${path}:${i + 1}`;
    return { id: by === 'place' ? ref : `${path}: ${line}`, ref };
  });
}

/** Larger files are taken as one event each: they would be read again after every operation. */
const READ_MAX = 1024 * 1024;

/** Null: it is gone. Under the real clock the program goes on while it is looked at. */
function contentOf(path: string): string | null {
  try {
    return statSync(path).size > READ_MAX ? 'large' : readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
