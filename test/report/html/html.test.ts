import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { compareSides } from '../../../src/compare/compare.ts';
import { judgeGate } from '../../../src/gate/gate.ts';
import { writeHistory } from '../../../src/history/write.ts';
import { html } from '../../../src/report/html/html.ts';
import { markup } from '../../../src/report/html/markup.ts';
import { runPage } from '../../../src/report/html/run-page.ts';
import type { TimelineData } from '../../../src/report/html/timeline-data.ts';
import { sideOf } from '../../compare/sides.ts';
import { theft } from '../theft.ts';
import { aRun, broken, HOSTILE } from './a-run.ts';

let directory: string | undefined;
afterEach(() => {
  if (directory !== undefined) rmSync(directory, { recursive: true });
  directory = undefined;
});

const dataOf = (page: string): TimelineData[] =>
  JSON.parse(/<script type="application\/json" id="timelines">(.*?)<\/script>/.exec(page)?.[1] ?? '[]');
const idsOf = (page: string) => [...page.matchAll(/<section id="([\w-]+)"/g)].map(([, id]) => id);

test('from the verdict down to a single trial', () => {
  expect(idsOf(runPage(aRun()))).toEqual(['verdict', 'trials', 'controls', 'hits', 'recovery', 'findings', 'timeline']);
});

test('what comes from outside stays text', () => {
  const page = runPage(
    aRun({
      about: { subject: HOSTILE, plan: HOSTILE, violations: broken.violations.map((violation) => ({ ...violation, message: HOSTILE })) },
    }),
  );
  expect(page.includes('<img')).toBe(false);
  expect(page.match(/<\/script>/g)).toHaveLength(2);
  expect(page).toContain('&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;&lt;!--');
  expect(dataOf(page)[0]?.plan).toBe(HOSTILE);
  expect(markup`${'<'}${markup`<b>${null}${[1, '&']}${false}</b>`}`.markup).toBe('&lt;<b>1&amp;</b>');
});

test('a reason keeps the command that shows it again, whatever the message says before', () => {
  const message = 'it said: npx crash-campaign doctor. And more';
  const page = runPage(aRun({ about: { violations: broken.violations.map((violation) => ({ ...violation, message })) } }));
  expect(page).toMatch(/<li>[^\n]*And more\. See it again: <code>npx crash-campaign replay toy [^\n<]*<\/code>/);
});

test('it needs nothing but itself', () => {
  const page = runPage(aRun());
  expect(page).toContain(`default-src 'none'`);
  const outside = /https?:|\bsrc=|@import|url\((?!["']?#)|\bfetch\(|XMLHttpRequest/;
  expect(outside.exec(page.replaceAll('http://www.w3.org/2000/svg', ''))).toBeNull();
});

test('a thousand trials take less than 2 MB, and what is left out is said', () => {
  const page = runPage(aRun({ held: 1000 }));
  expect(page.length).toBeLessThan(2_000_000);
  expect(page).toContain('Of the dots a sample of');
  expect(page.match(/<circle /g)?.length).toBeLessThan(1300);
});

test("histories that don't fit are left out, and counted", () => {
  const input = aRun();
  const others = Array.from({ length: 60 }, (_, i) => ({ ...broken, id: `${broken.id}${i}`, seed: 3000 + i }));
  const long = {
    ...theft,
    entries: [...theft.entries, ...Array.from({ length: 20 }, () => theft.entries.slice(11, -3)).flat()].map((entry, i) => ({
      ...entry,
      t_ms: i,
    })),
  };
  const histories = new Map([...input.histories, ...others.map(({ id }) => [id, long] as const)]);
  const page = runPage({ ...input, records: [...input.records, ...others], histories });
  expect(page.length).toBeLessThan(2_000_000);
  const shown = dataOf(page).length;
  expect(shown).toBeGreaterThan(1);
  expect(page).toContain(`${61 - shown} other kept trials are not drawn`);
});

test('the two that collide are the late write and the acquisition that made it late', () => {
  const [timeline] = dataOf(
    runPage(
      aRun({
        about: {
          violations: broken.violations.map((violation) => ({
            ...violation,
            entries: [2, theft.entries.findIndex((entry) => entry.type === 'lock' && entry.session === 's2'), ...violation.entries],
          })),
        },
      }),
    ),
  );
  const lines = timeline?.violations[0]?.pair.map((at) => timeline.lines.find((line) => line.at === at)?.text);
  expect(lines).toEqual(['s2 acquires the lock (token 2, until 62.701 s)', 's1 writes event e2 (ledger.jsonl:2, token 1)']);
});

test('the lock was held until the lease ran out, and then named one who slept', () => {
  const [timeline] = dataOf(runPage(aRun()));
  const lock = timeline?.spans.filter(({ lane }) => lane === -1).map(({ kind, label }) => `${kind} ${label}`);
  expect(lock).toEqual(['held s1, token 1', 'lapsed s1, token 1', 'held s2, token 2', 'orphaned s2, token 2']);
  const sessions = timeline?.spans.filter(({ lane }) => lane >= 0).map(({ lane, kind }) => `s${lane + 1} ${kind}`);
  expect(sessions).toEqual(['s1 alive', 's1 holding', 's1 paused', 's2 alive', 's2 holding']);
});

test('a kill that nobody recovered from is drawn as longer than it was watched', () => {
  const page = runPage(aRun());
  expect(page.match(/class="censored"/g)).toHaveLength(1);
  expect(page).toContain('1 of which nobody was seen to recover from');
  expect(page).toContain('seed 2000: more than 60.0 s');
});

test('histories are found beside the records', async () => {
  directory = mkdtempSync(join(tmpdir(), 'html-'));
  const { run, records } = aRun();
  const summary = { ...run, runDirectory: directory };
  expect(await html({ of: 'run', summary, records })).toContain('No history was kept');
  const file = join(directory, broken.artefacts as string, 'history.ndjson');
  await mkdir(dirname(file), { recursive: true });
  await writeHistory(file, theft);
  expect(dataOf(await html({ of: 'run', summary, records })).map(({ id }) => id)).toEqual([broken.id]);
  await writeFile(file, '{"schema": "crash-campaign/history@99"}\n');
  expect(await html({ of: 'run', summary, records })).toContain('No history was kept');
});

test('a comparison: decision, who fell out, times, questions, seeds', async () => {
  const sides = { baseline: sideOf('before', {}), contender: sideOf('after', { lease_ms: 33_000 }) };
  const comparison = { ...compareSides(sides, { relative: 0.05 }), exitCode: 1 };
  const page = await html({ of: 'compare', comparison, sides });
  expect(idsOf(page)).toEqual(['decision', 'compare-trials', 'compare-times', 'compare-questions', 'compare-seeds', 'compare-cost']);
  expect(page).toContain('REGRESSED');
  expect(page.match(/class="slower"/g)).toHaveLength(58);
  expect(page.match(/class="same"/g)).toHaveLength(142);
  expect(page.match(/class="curve /g)).toHaveLength(2);
});

test('a gate: its verdict, the comparison behind it, and the run', async () => {
  const sides = { baseline: sideOf('before', {}), contender: sideOf('after', { lease_ms: 33_000 }) };
  const { run, records } = aRun();
  const gate = judgeGate({
    run,
    comparisons: [compareSides(sides, { relative: 0.05 })],
    against: { is: 'baseline', file: 'reports/baselines/toy.json', git: null },
    notes: [],
    refusal: null,
  });
  const page = await html({ of: 'gate', gate, records });
  expect(idsOf(page).slice(0, 2)).toEqual(['gate', 'compare-1-trials']);
  expect(idsOf(page)).toEqual(expect.arrayContaining(['verdict', 'findings', 'timeline']));
  expect(page).toContain('The gate is closed, against the baseline reports/baselines/toy.json.');
  expect(page).toContain('What to do next');
});
