import type { Edit, Variant } from '../../src/campaign/campaign.ts';

/** The ingest kernel with one thing changed. */
export type Mutant = {
  name: string;
  edit: Edit[];
} /** Some trial breaks one of these invariants. One that chance seldom hits names the scenario that is made for what is broken in it. */ & (
  | { breaks: string[]; scenario?: string }
  /** Nothing can be seen of it, because … */
  | { equivalent: string }
);

const change = (file: string, from: string, to: string): Edit => ({ file, from, to });

/** The lock: who may take it, who gets it, and what it leaves behind. */
const ofTheLock: Mutant[] = [
  {
    name: 'takes-what-has-not-expired',
    edit: [change('lock.ts', 'Date.now() >= seen.expires_at_ms', 'Date.now() < seen.expires_at_ms')],
    breaks: ['one-holder-at-a-time', 'keeps-its-lease', 'finishes', 'recovers-within'],
  },
  {
    name: 'expires-a-millisecond-late',
    edit: [change('lock.ts', 'Date.now() >= seen.expires_at_ms', 'Date.now() > seen.expires_at_ms')],
    equivalent: 'a contender waits for a millisecond more.',
  },
  {
    name: 'lease-of-hours',
    edit: [change('lock.ts', 'Date.now() + ttlMs, released', 'Date.now() + ttlMs * 1000, released')],
    breaks: ['recovers-within', 'finishes'],
  },
  {
    name: 'lease-of-no-length',
    edit: [change('lock.ts', 'Date.now() + ttlMs, released', 'Date.now(), released')],
    breaks: ['keeps-its-lease', 'finishes'],
    scenario: 'contend',
  },
  {
    name: 'renewal-keeps-the-old-expiry',
    edit: [
      change('lock.ts', 'let number = seen.number;', 'let number = seen.number;\n  const began_ms = Date.now();'),
      change('lock.ts', 'Date.now() + ttlMs, released', 'began_ms + ttlMs, released'),
    ],
    breaks: ['keeps-its-lease'],
    scenario: 'contend',
  },
  {
    name: 'looks-at-the-first-claim',
    edit: [change('lock.ts', 'const number = numbers.at(-1) ?? 0;', 'const number = numbers.at(0) ?? 0;')],
    breaks: ['recovers-within', 'finishes'],
  },
  {
    name: 'claims-in-order-of-text',
    edit: [change('durable.ts', '.sort((a, b) => a - b)', '.sort()')],
    breaks: ['finishes', 'robbed-session-dies', 'keeps-its-lease'],
  },
  {
    name: 'believes-that-it-holds',
    edit: [change('lock.ts', "numbersIn(join(state, 'lock'), '.claim').at(-1) === number", 'true')],
    breaks: ['no-lost-acks', 'robbed-session-dies'],
  },
  {
    name: 'claim-replaces-a-rivals',
    edit: [
      change('durable.ts', '    linkSync(temporary, path);', '    renameSync(temporary, path);'),
      change('durable.ts', 'fsyncSync, linkSync, openSync, readdirSync,', 'fsyncSync, openSync, readdirSync, renameSync,'),
    ],
    breaks: ['no-write-after-theft', 'one-holder-at-a-time', 'tokens-never-go-back'],
    scenario: 'race-for-the-lock',
  },
  {
    name: 'loser-of-the-race-holds-too',
    edit: [change('durable.ts', 'return false;\n  } finally', "return isCode(error, 'EEXIST');\n  } finally")],
    breaks: ['one-holder-at-a-time', 'tokens-never-go-back', 'no-duplicate-events'],
    scenario: 'race-for-the-lock',
  },
  {
    name: 'claim-written-under-its-name',
    edit: [
      change('durable.ts', 'writeSynced(temporary, data);\n    linkSync(temporary, path);', "writeFileSync(path, data, { flag: 'wx' });"),
    ],
    breaks: ['no-lost-acks', 'finishes', 'state-parses', 'recovers-within'],
  },
  {
    name: 'contenders-share-a-temporary-file',
    edit: [change('lock.ts', '`${randomUUID()}.claim`', "'first.claim'")],
    breaks: ['no-write-after-theft', 'one-holder-at-a-time', 'tokens-never-go-back', 'finishes', 'robbed-session-dies'],
    scenario: 'race-for-the-lock',
  },
  {
    name: 'acquisition-not-synced',
    edit: [change('lock.ts', "syncDirectory(join(state, 'lock'));", '')],
    breaks: ['tokens-never-go-back'],
    scenario: 'power-cut',
  },
  {
    name: 'seals-not-synced',
    edit: [change('lock.ts', "syncDirectory(join(state, 'ledger'));", '')],
    breaks: ['no-lost-acks'],
    scenario: 'power-cut-after-kill',
  },
  {
    name: 'seals-before-it-claims',
    edit: [
      change(
        'lock.ts',
        '  if (!claim(`${randomUUID()}.claim`, false)) return null;',
        '  for (let earlier = 0; earlier < token; earlier++) for (const step of shutOut) step(state, earlier, token);\n  if (!claim(`${randomUUID()}.claim`, false)) return null;',
      ),
      change(
        'lock.ts',
        'so that the first acquisition too is complete with a seal and not before.\n  for (let earlier = 0; earlier < token; earlier++) for (const step of shutOut) step(state, earlier, token);',
        '',
      ),
    ],
    breaks: ['finishes', 'no-lost-acks', 'no-write-after-theft'],
    scenario: 'stall-during-takeover',
  },
  {
    name: 'seals-its-predecessor-only',
    edit: [change('lock.ts', 'let earlier = 0; earlier < token', 'let earlier = token - 1; earlier < token')],
    breaks: ['no-write-after-theft', 'no-duplicate-events', 'tokens-never-go-back'],
    scenario: 'kill-during-takeover',
  },
  {
    name: 'seals-itself',
    edit: [change('lock.ts', 'earlier < token; earlier++', 'earlier <= token; earlier++')],
    breaks: ['finishes'],
  },
  {
    name: 'work-not-taken-away',
    edit: [change('lock.ts', '  removeWork,\n', '')],
    equivalent:
      'until the end names carry tokens, so a late file overwrites none; at the end the directory goes all the same, before what is not named is removed.',
  },
  {
    name: 'token-from-the-claim-alone',
    edit: [change('lock.ts', 'Math.max(seen.token, highestToken(state))', 'seen.token')],
    breaks: ['tokens-never-go-back', 'one-holder-at-a-time'],
    scenario: 'damage-lock',
  },
  {
    name: 'token-from-claim-and-segments',
    edit: [change('ledger.ts', 'return Math.max(segment, seal + 1);', 'return Math.max(segment, seal - seal);')],
    breaks: ['tokens-never-go-back', 'one-holder-at-a-time'],
    scenario: 'damage-lock',
  },
  {
    name: 'unreadable-never-expires',
    edit: [change('lock.ts', 'touched + ttlMs', 'touched + ttlMs * 1000')],
    breaks: ['recovers-within', 'finishes'],
    scenario: 'damage-lock',
  },
  {
    name: 'unreadable-is-an-error',
    edit: [change('lock.ts', '  } catch {\n    return null;\n  }', '  } catch (error) {\n    throw error;\n  }')],
    breaks: ['finishes', 'recovers-within'],
    scenario: 'damage-lock',
  },
  {
    name: 'release-says-held',
    edit: [change('lock.ts', "claim('release.claim', true)", "claim('release.claim', false)")],
    breaks: ['finishes'],
  },
  {
    name: 'renewal-says-released',
    edit: [change('lock.ts', "claim('renew.claim', false)", "claim('renew.claim', true)")],
    breaks: ['one-holder-at-a-time', 'keeps-its-lease', 'finishes'],
    scenario: 'contend',
  },
  {
    name: 'claims-the-same-number-again',
    edit: [change('lock.ts', '    number += 1;\n', '')],
    breaks: ['finishes', 'robbed-session-dies'],
  },
  {
    name: 'work-directory-of-a-rival-is-an-error',
    edit: [change('lock.ts', "ignoring(['EEXIST'], () => mkdirSync(work));", 'mkdirSync(work);')],
    breaks: ['finishes', 'recovers-within'],
    scenario: 'race-for-the-lock',
  },
];

/** What is on disk, and when. */
const ofTheStorage: Mutant[] = [
  {
    name: 'file-not-synced',
    edit: [change('durable.ts', '    writeFileSync(fd, data);\n    fsyncSync(fd);', '    writeFileSync(fd, data);')],
    breaks: ['state-parses', 'finishes', 'recovers-within', 'tokens-never-go-back'],
    scenario: 'power-cut',
  },
  {
    name: 'no-directory-synced',
    edit: [
      change('durable.ts', "const fd = openSync(path, 'r');\n  try {\n    fsyncSync(fd);", "const fd = openSync(path, 'r');\n  try {"),
    ],
    breaks: ['no-lost-acks', 'state-parses', 'tokens-never-go-back', 'finishes'],
    scenario: 'power-cut',
  },
  {
    name: 'temporary-file-kept',
    edit: [change('durable.ts', '  } finally {\n    removeFile(temporary);\n  }', '  }')],
    equivalent:
      'it lies in the directory of its token, which is removed with everything in it. The next renewal writes over the claim that it was linked to, which counts no more once the next is there and is waited for as an unreadable one until then.',
  },
  {
    name: 'event-not-synced',
    edit: [
      change(
        'ledger.ts',
        'writeFileSync(fd, `${JSON.stringify(line)}\\n`);\n    fsyncSync(fd);',
        'writeFileSync(fd, `${JSON.stringify(line)}\\n`);',
      ),
    ],
    breaks: ['no-lost-acks'],
    scenario: 'power-cut',
  },
  {
    name: 'segment-name-not-synced',
    edit: [change('ledger.ts', "    if (isNew) syncDirectory(join(state, 'ledger'));\n", '')],
    breaks: ['no-lost-acks'],
    scenario: 'power-cut',
  },
  {
    name: 'sealed-bytes-not-synced',
    edit: [change('ledger.ts', '    fsyncSync(fd);\n    return length;', '    return length;')],
    breaks: ['no-duplicate-events', 'no-lost-acks', 'finishes'],
    scenario: 'power-cut-after-kill',
  },
  {
    name: 'seal-one-byte-short',
    edit: [change('ledger.ts', 'JSON.stringify({ length })', 'JSON.stringify({ length: Math.max(0, length - 1) })')],
    breaks: ['no-lost-acks'],
  },
  {
    name: 'seal-counts-torn-bytes',
    edit: [change('ledger.ts', 'wholeLines(readFileSync(fd)).bytes', 'readFileSync(fd).length')],
    equivalent: 'every reader stops at the torn line, and its writer is dead.',
  },
  {
    name: 'seals-without-looking',
    edit: [change('ledger.ts', '  if (existsSync(sealPath(state, token))) return;\n', '')],
    equivalent: 'a seal is published once, and the second attempt is refused; it only saves work.',
  },
  {
    name: 'reads-beyond-the-seal',
    edit: [change('ledger.ts', 'sealed === undefined ? bytes : bytes.subarray(0, JSON.parse(sealed).length)', 'bytes')],
    breaks: ['no-lost-acks', 'transcript-is-complete', 'finishes', 'no-debris', 'state-parses'],
    scenario: 'stall-during-takeover',
  },
  {
    name: 'reads-on-behind-a-torn-line',
    edit: [change('ledger.ts', '    } catch {\n      break;\n    }', '    } catch {}')],
    equivalent: 'a torn line is the last of its segment.',
  },
  {
    name: 'segment-opened-from-scratch',
    edit: [change('ledger.ts', "openSync(segmentPath(state, token), 'a')", "openSync(segmentPath(state, token), 'w')")],
    equivalent: 'a token opens its segment once, and no token comes twice.',
  },
  {
    name: 'line-feed-written-apart',
    edit: [
      change(
        'ledger.ts',
        'writeFileSync(fd, `${JSON.stringify(line)}\\n`);',
        "writeFileSync(fd, JSON.stringify(line));\n    writeFileSync(fd, '\\n');",
      ),
    ],
    equivalent: 'a line counts from its line feed on, and it is synced after both.',
  },
  {
    name: 'directories-not-synced',
    edit: [change('kernel.ts', 'makeDirectories(state);\nsyncDirectory(state);', 'makeDirectories(state);')],
    breaks: ['no-lost-acks', 'tokens-never-go-back'],
    scenario: 'power-cut',
  },
  {
    name: 'sidecar-not-synced',
    edit: [change('kernel.ts', '    fsyncSync(fd);\n    closeSync(fd);', '    closeSync(fd);')],
    breaks: ['state-parses'],
    scenario: 'power-cut',
  },
  {
    name: 'sidecar-name-not-synced',
    edit: [change('kernel.ts', "    syncDirectory(join(state, 'transcription'));\n", '')],
    breaks: ['state-parses'],
    scenario: 'power-cut',
  },
  {
    name: 'chunk-name-not-synced',
    edit: [change('kernel.ts', "    syncDirectory(join(state, 'media'));\n", '')],
    equivalent:
      'both names leave one directory, the chunk’s first; what makes the sidecar’s move durable has made the chunk’s durable too, as changes of a directory last in order.',
  },
  {
    name: 'chunk-not-synced',
    edit: [
      change(
        'kernel.ts',
        'fenced(() => writeSynced(chunk, encodeWav(samples)));',
        'fenced(() => writeFileSync(chunk, encodeWav(samples)));',
      ),
    ],
    breaks: ['state-parses'],
    scenario: 'power-cut',
  },
  {
    name: 'chunk-written-under-its-name',
    edit: [
      change(
        'kernel.ts',
        'const chunk = join(workDirectory(state, token), `${window}.wav`);',
        "const chunk = join(state, 'media', media);",
      ),
      change('kernel.ts', "    fenced(() => renameSync(chunk, join(state, 'media', media)));\n", ''),
    ],
    breaks: ['state-parses'],
  },
  {
    name: 'sidecar-without-its-chunk',
    edit: [
      change(
        'sidecar.ts',
        "if (sidecar?.plan_id === planId && existsSync(join(state, 'media', sidecar.media)))",
        'if (sidecar?.plan_id === planId)',
      ),
      change('sidecar.ts', 'existsSync, ', ''),
    ],
    equivalent: 'the chunk’s name moves first and out of the same directory, so that no power cut keeps the sidecar’s alone.',
  },
  {
    name: 'sidecar-of-any-plan',
    edit: [change('sidecar.ts', 'sidecar?.plan_id === planId && ', 'sidecar && ')],
    equivalent: 'there is one plan: it is on disk before the first sidecar, and a robbed session’s own never gets that far.',
  },
  {
    name: 'gives-up-on-a-full-directory',
    edit: [
      change('work.ts', "if (!isCode(error, 'ENOTEMPTY')) throw error;", "if (!isCode(error, 'ENOTEMPTY')) throw error;\n      return;"),
    ],
    equivalent:
      'only one that has lost the lock, or never got it, can still make a file there: it is robbed or tidies up itself, and of two that do one comes last.',
  },
];

/** What a session does, and in which order. */
const ofTheSession: Mutant[] = [
  {
    name: 'writes-what-is-there-again',
    edit: [change('kernel.ts', 'if (!ledger.some((line) => line.plan_id === event.plan_id && factOf(line) === fact)) {', '{')],
    breaks: ['no-duplicate-events'],
  },
  {
    name: 'tells-before-it-writes',
    edit: [
      change('kernel.ts', '      fenced(() => segment(event));\n', '      say(`ack ${fact}`);\n      fenced(() => segment(event));\n'),
      change('kernel.ts', '    say(`ack ${fact}`);\n    renew();', '    renew();'),
    ],
    breaks: ['no-lost-acks'],
  },
  {
    name: 'tells-without-a-second-check',
    edit: [change('kernel.ts', '// #component ack-check\n      check();\n', '// #component ack-check\n')],
    breaks: ['no-lost-acks'],
    scenario: 'stall-during-takeover',
  },
  {
    name: 'writes-without-a-check',
    edit: [change('kernel.ts', '    check();\n    try {', '    try {')],
    equivalent: 'the storage refuses what comes too late, and the check behind each refusal and each event finds the thief.',
  },
  {
    name: 'no-check-behind-a-refusal',
    edit: [change('kernel.ts', '    } catch (error) {\n      check();\n', '    } catch (error) {\n')],
    breaks: ['finishes', 'robbed-session-dies'],
    scenario: 'stall-during-takeover',
  },
  {
    name: 'no-check-at-the-door',
    edit: [change('kernel.ts', '  // #component door-check\n  if (!held.isMine()) robbed();\n', '  // #component door-check\n')],
    equivalent:
      'whatever a session writes first, it checks before; and one that sleeps between the check and the door enters late all the same.',
  },
  {
    name: 'ignores-a-lost-renewal',
    edit: [change('kernel.ts', 'if (!fenced(held.renew)) check();', 'fenced(held.renew);')],
    equivalent: 'the next write finds out.',
  },
  {
    name: 'no-renewal-with-an-event',
    edit: [change('kernel.ts', '    say(`ack ${fact}`);\n    renew();', '    say(`ack ${fact}`);')],
    equivalent: 'the timer renews every quarter of a lease.',
  },
  {
    name: 'no-timer',
    edit: [change('kernel.ts', 'setInterval(renew, ttlMs / 4)', 'setInterval(renew, ttlMs * 1000)')],
    breaks: ['keeps-its-lease'],
    scenario: 'contend',
  },
  {
    name: 'timer-not-cleared',
    edit: [change('kernel.ts', '  clearInterval(heart);\n', '')],
    breaks: ['finishes'],
  },
  {
    name: 'looks-once',
    edit: [change('kernel.ts', '  else await sleep(pollMs);\n  seen = look(state, ttlMs);', '  else await sleep(pollMs);')],
    breaks: ['finishes', 'recovers-within'],
  },
  {
    name: 'claims-what-it-did-not-judge',
    edit: [change('kernel.ts', 'acquire(state, seen, ttlMs)', 'acquire(state, look(state, ttlMs), ttlMs)')],
    breaks: ['one-holder-at-a-time', 'keeps-its-lease', 'finishes'],
    scenario: 'race-for-the-lock',
  },
  {
    name: 'leaves-after-it-releases',
    edit: [
      change(
        'kernel.ts',
        "  say('exit');\n  if (fenced(held.release)) say('point lock.released');",
        "  if (fenced(held.release)) say('exit');",
      ),
    ],
    equivalent: 'the lock is released when the work is complete, and then nobody enters any more.',
  },
  {
    name: 'ignores-a-lost-release',
    edit: [change('kernel.ts', "if (fenced(held.release)) say('point lock.released');\n  else check();", 'fenced(held.release);')],
    breaks: ['robbed-session-dies'],
    scenario: 'steal-at-release',
  },
  {
    name: 'one-window-short',
    edit: [change('kernel.ts', 'window <= planned.windows', 'window < planned.windows')],
    breaks: ['finishes', 'transcript-is-complete'],
  },
  {
    name: 'skips-what-it-adopts',
    edit: [
      change(
        'kernel.ts',
        'const sidecar = finished(window) ?? (await transcribe(window));',
        'if (finished(window)) continue;\n    const sidecar = await transcribe(window);',
      ),
    ],
    breaks: ['finishes', 'transcript-is-complete', 'no-debris'],
  },
  {
    name: 'robbed-and-content',
    edit: [change('kernel.ts', 'process.exit(3);', 'process.exit(0);')],
    breaks: ['robbed-session-dies', 'finishes'],
  },
  {
    name: 'robbed-and-silent',
    edit: [change('kernel.ts', "    say('reason lock-stolen-mid-run');\n", '')],
    breaks: ['robbed-session-dies', 'finishes'],
  },
  {
    name: 'tidies-up-results',
    edit: [change('kernel.ts', 'if (!named.includes(name)) removeFile', 'if (named.includes(name)) removeFile')],
    breaks: ['state-parses', 'no-debris'],
  },
  {
    name: 'leaves-chunks-about',
    edit: [change('kernel.ts', "for (const directory of ['transcription', 'media']) {", "for (const directory of ['transcription']) {")],
    breaks: ['no-debris'],
  },
  {
    name: 'leaves-sidecars-about',
    edit: [change('kernel.ts', "for (const directory of ['transcription', 'media']) {", "for (const directory of ['media']) {")],
    equivalent:
      'a sidecar gets its name out of the directory of its token, which a successor takes away before it looks for sidecars: there is none that it does not adopt.',
  },
  {
    name: 'leaves-work-about',
    edit: [change('kernel.ts', "  for (const token of readdirSync(join(state, 'work')).sort()) removeWork(state, Number(token));\n", '')],
    breaks: ['no-debris'],
  },
];

export const mutants: Mutant[] = [...ofTheLock, ...ofTheStorage, ...ofTheSession];

/** As variants of a campaign. One that is equivalent expects nothing. */
export const variants: Variant[] = mutants.map((mutant) => ({
  name: mutant.name,
  edit: mutant.edit,
  ...('breaks' in mutant && { expect: { breaksAny: mutant.breaks } }),
  ...('breaks' in mutant && mutant.scenario !== undefined && { scenarios: [mutant.scenario] }),
}));
