/**
 * Transcribes a recording, window by window, into a shared ledger. Any number of sessions may be started on one state directory,
 * at any time; each may be killed or paused anywhere. One of them works at a time, and together they do every window once.
 *
 *     node kernel.ts <state directory>
 *
 * Exits 0 when the work is done, by itself or by others; 3 with the reason `lock-stolen-mid-run` when it was robbed of the lock.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { analyse, FRAMES_PER_WINDOW } from './analysis.ts';
import { removeFile, syncDirectory, writeSynced } from './durable.ts';
import { factOf, type LedgerEvent, openSegment, readLedger } from './ledger.ts';
import { acquire, type Held, isTakeable, look } from './lock.ts';
import { decodeWav, encodeWav, windowOf } from './recording.ts';
import { findSidecar } from './sidecar.ts';
import { makeDirectories, removeWork, workDirectory } from './work.ts';

const STATE = process.argv[2] ?? process.env.CRASH_CAMPAIGN_STATE;
if (STATE === undefined || !existsSync(join(STATE, 'recording.wav'))) {
  process.stderr.write('usage: kernel.ts <state directory>, in which there is a recording.wav\n');
  process.exit(64);
}
const state: string = STATE;
/** How long a lease lasts that is not renewed. */
const ttlMs = Number(process.env.INGEST_TTL_MS ?? 30_000);
/** The time that one frame takes. By default a whole run takes two TTLs, so that it can't be done without renewing the lease. */
const paceMs = Number(process.env.INGEST_PACE_MS ?? ttlMs / 12);
/** How long a contender waits between two looks at the lock. */
const pollMs = Number(process.env.INGEST_POLL_MS ?? ttlMs / 25);
const windows = Number(process.env.INGEST_WINDOWS ?? 3);

/** One line in one write, so that a kill can't cut it in two. */
const say = (what: string) => writeSync(1, `@crash ${what}\n`);

makeDirectories(state);
syncDirectory(state);

let seen = look(state, ttlMs);
// Released, with the work done: the last holder made sure that its last event is accepted, and nobody will claim the lock again.
while (!(seen.released && readLedger(state).some((line) => line.type === 'completed'))) {
  const held = isTakeable(seen) ? acquire(state, seen, ttlMs) : null;
  if (held) await work(held);
  else await sleep(pollMs);
  seen = look(state, ttlMs);
}
tidyUp();

/** Does what is left of the work, and releases the lock. Doesn't return when the lock is lost. */
async function work(held: Held): Promise<void> {
  const { token } = held;

  function robbed(): never {
    say('reason lock-stolen-mid-run');
    process.exit(3);
  }

  /** The one check of the token. */
  function check() {
    // #component fence-at-writes
    if (!held.isMine()) robbed();
    // #end
  }

  /** Every write to the state goes through here. One that fails because a successor took the ground away from under it was robbed, and not broken. */
  function fenced<T>(write: () => T): T {
    check();
    try {
      return write();
    } catch (error) {
      check();
      throw error;
    }
  }

  function renew() {
    // #component heartbeat-renew
    if (!fenced(held.renew)) check();
    // #end
  }

  // A session that slept between its claim and here must not believe that it holds the lock.
  // #component door-check
  if (!held.isMine()) robbed();
  // #end
  say('point lock.acquired');
  say(`enter ${token}`);

  const ledger = readLedger(state);
  const segment = openSegment(state, token);

  /** Appends an event unless it is there already, and tells the world when nobody can take it back any more: whoever wrote it may have died before it could. */
  function append(event: LedgerEvent) {
    const fact = factOf(event);
    if (!ledger.some((line) => line.plan_id === event.plan_id && factOf(line) === fact)) {
      fenced(() => segment(event));
      // A successor that claimed before this line was written may have measured the segment without it. One that claims after this check will find it.
      // #component ack-check
      check();
      // #end
    }
    say(`ack ${fact}`);
    renew();
  }

  let planned: { plan_id: string; windows: number } = { plan_id: randomUUID(), windows };
  // #component plan-reuse
  planned = ledger.find((line) => line.type === 'planned') ?? planned;
  // #end
  const { plan_id } = planned;
  append({ type: 'planned', plan_id, windows: planned.windows });
  say('point planned');

  const heart = setInterval(renew, ttlMs / 4);
  for (let window = 1; window <= planned.windows; window++) {
    const sidecar = finished(window) ?? (await transcribe(window));
    // The event must not outlive what it speaks of. An adopted sidecar's name may not have been synced by the session that died.
    syncDirectory(join(state, 'media'));
    syncDirectory(join(state, 'transcription'));
    append({ type: 'transcribed', plan_id, window, ...sidecar });
    say(`point window.${window}.done`);
  }
  clearInterval(heart);
  append({ type: 'completed', plan_id });
  say('point completed');
  say('exit');
  if (fenced(held.release)) say('point lock.released');
  else check();

  /** A window that an earlier session finished, as its sidecar shows. The event may be missing. */
  function finished(window: number): { sidecar: string; media: string } | null {
    // #component resume
    const found = findSidecar(state, plan_id, window);
    if (found) return found;
    // #end
    return null;
  }

  async function transcribe(window: number): Promise<{ sidecar: string; media: string }> {
    say(`point window.${window}.started`);
    const media = `${window}.${token}.wav`;
    const sidecar = `${window}.${token}.json`;
    const samples = windowOf(decodeWav(readFileSync(join(state, 'recording.wav'))), window, planned.windows);

    const chunk = join(workDirectory(state, token), `${window}.wav`);
    fenced(() => writeSynced(chunk, encodeWav(samples)));
    fenced(() => renameSync(chunk, join(state, 'media', media)));
    say(`point window.${window}.extracted`);

    const final = join(state, 'transcription', sidecar);
    let path = final;
    // #component atomic-rename
    path = join(workDirectory(state, token), `${window}.json`);
    // #end
    const fd = fenced(() => openSync(path, 'w'));
    fenced(() => writeFileSync(fd, `{"plan_id":"${plan_id}","window":${window},"media":"${media}","frames":[\n`));
    for (let index = 0; index < FRAMES_PER_WINDOW; index++) {
      await sleep(paceMs);
      const frame = JSON.stringify(analyse(samples, index));
      fenced(() => writeFileSync(fd, `${frame}${index + 1 < FRAMES_PER_WINDOW ? ',' : ']}'}\n`));
    }
    fsyncSync(fd);
    closeSync(fd);
    if (path !== final) fenced(() => renameSync(path, final));
    say(`point window.${window}.written`);
    return { sidecar, media };
  }
}

/**
 * Removes what dead and robbed sessions left, once the work is done. It needs no lock: the ledger changes no more, so what it does not name is of no use to
 * anybody, and names carry a token that is never given out twice, so this session may sleep in between as long as it likes.
 * A session that claims the lock nonetheless (its thief has let it expire) and loses its directory fails to release, and comes back when its own lease has run out.
 */
function tidyUp() {
  // #component tidy-up
  for (const token of readdirSync(join(state, 'work')).sort()) removeWork(state, Number(token));
  const named = readLedger(state).flatMap((line) => (line.type === 'transcribed' ? [line.sidecar, line.media] : []));
  for (const directory of ['transcription', 'media']) {
    for (const name of readdirSync(join(state, directory)).sort()) if (!named.includes(name)) removeFile(join(state, directory, name));
  }
  // #end
}
