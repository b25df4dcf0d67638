import { readdirSync, rmSync } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { stoppedBy } from './run-errors.ts';
import { type RunLock, syncDirectory } from './run-lock.ts';

/** What the holder of a run directory's lock writes there. All of it is on disk when a call resolves, and none of it counts when the lock is lost meanwhile. */
export interface RunStore {
  /** What a crash had torn at the end of `trials.ndjson` was dropped. */
  torn: boolean;
  /** Adds a line to `trials.ndjson`. */
  append(line: string): Promise<void>;
  /** Replaces a file as a whole. */
  publish(name: string, content: string): Promise<void>;
  close(): Promise<void>;
}

const TRIALS = 'trials.ndjson';
/** What of these files was being written, with the token of whoever did. Other files are a user's own. */
const TEMPORARY = /^(trials\.ndjson|run\.json|golden\.json)\.\d+\.tmp$/;

/**
 * Takes the files of a run directory over, for the holder of its lock.
 *
 * A holder that stood still past its lease may wake up in the middle of a write, and a check before the write can't stop that. So it is the files that shut it out:
 *
 * - `trials.ndjson` is copied and gets a new inode with each holder, which appends through a descriptor on it. What a robbed one appends goes to a file that has no name any more.
 *   It was not told to anybody, because the lock is checked behind the write too.
 * - A file that is replaced is prepared under a name with the holder's token in it, and whoever takes over removes those names before it reads anything. A robbed holder finds nothing to rename;
 *   and if it prepares the file only afterwards, the check between the two finds it out.
 */
export async function openRunStore(runDirectory: string, lock: RunLock): Promise<RunStore> {
  const path = (name: string) => join(runDirectory, name);

  /** A write that fails because a successor took the ground away from under it was robbed, and not broken. */
  async function fenced<T>(write: () => Promise<T>): Promise<T> {
    lock.check();
    const result = await write().catch((error: unknown) => {
      lock.check();
      throw stoppedBy(error, runDirectory);
    });
    lock.check();
    return result;
  }

  /** Resolves to a descriptor on the file, with which more can be added to it. */
  async function replace(name: string, fill: (file: FileHandle) => Promise<void>): Promise<FileHandle> {
    const temporary = path(`${name}.${lock.token}.tmp`);
    let made: FileHandle | null = null;
    try {
      const file = await open(temporary, 'ax');
      made = file;
      await fenced(() => fill(file));
      await fenced(() => file.sync());
      await fenced(() => rename(temporary, path(name)));
      syncDirectory(runDirectory);
      lock.check();
      return file;
    } catch (error) {
      await made?.close();
      rmSync(temporary, { force: true });
      throw stoppedBy(error, runDirectory);
    }
  }

  for (const entry of readdirSync(runDirectory, { withFileTypes: true }))
    if (entry.isFile() && TEMPORARY.test(entry.name)) rmSync(path(entry.name), { force: true });
  lock.check();
  const before = await open(path(TRIALS), 'a+');
  let torn: boolean;
  let trials: FileHandle;
  try {
    const whole = await wholeLines(before);
    torn = whole.torn;
    trials = await replace(TRIALS, (file) => copy(before, file, whole.bytes));
  } finally {
    await before.close();
  }
  lock.open();
  lock.check();

  let last: Promise<unknown> = Promise.resolve();
  return {
    torn,
    append(line) {
      // One after the other, and none behind one that failed: it may have left half a line.
      const written = last.then(async () => {
        await fenced(() => trials.appendFile(`${line}\n`));
        await fenced(() => trials.datasync());
      });
      last = written;
      written.catch(() => {});
      return written;
    },
    async publish(name, content) {
      await (await replace(name, (file) => file.writeFile(content))).close();
    },
    close: () => trials.close(),
  };
}

const CHUNK_BYTES = 1024 * 1024;

/**
 * How many bytes at the beginning of a file are whole lines. Each was written with one call and synced before the next one, so a crash leaves at most the last one torn: without its
 * end, or, where a power cut left the file's length and not its content, with zeros in it.
 */
async function wholeLines(file: FileHandle): Promise<{ bytes: number; torn: boolean }> {
  const { size } = await file.stat();
  for (let length = CHUNK_BYTES; ; length *= 2) {
    const start = Math.max(0, size - length);
    const tail = Buffer.alloc(size - start);
    await file.read(tail, 0, tail.length, start);
    const end = tail.lastIndexOf('\n') + 1;
    const lastLine = tail.subarray(0, Math.max(0, end - 1)).lastIndexOf('\n') + 1;
    // It may begin before what has been read.
    if (lastLine === 0 && start > 0) continue;
    const bytes = start + (isJson(tail.toString('utf8', lastLine, end)) ? end : lastLine);
    return { bytes, torn: bytes < size };
  }
}

async function copy(from: FileHandle, to: FileHandle, bytes: number): Promise<void> {
  const chunk = Buffer.alloc(Math.min(bytes, CHUNK_BYTES));
  for (let done = 0; done < bytes; ) {
    const { bytesRead } = await from.read(chunk, 0, Math.min(chunk.length, bytes - done), done);
    await to.appendFile(chunk.subarray(0, bytesRead));
    done += bytesRead;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
