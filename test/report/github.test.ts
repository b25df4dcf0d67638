import { describe, expect, test } from 'vitest';
import { ANNOTATIONS_MAX, github, SUMMARY_BYTES_MAX } from '../../src/report/github.ts';
import { ndjson } from '../../src/report/ndjson.ts';
import { broken, record } from '../fixtures/records.ts';
import { comparisonOf, gateOf, runOf } from './results.ts';

const many = Array.from({ length: 3000 }, (_, i) =>
  broken(i, [{ message: `100 % at 1:2, ${'x'.repeat(600)}`, site: String.fromCodePoint(0x4e00 + i) }]),
);

describe('github', () => {
  test('an annotation for each reason, on one line each', () => {
    const { annotations } = github(runOf([record(1), broken(2, [{ message: '50 % of it\nis: gone' }])]));
    expect(annotations).toMatch(
      /^::error title=crash-campaign%3A fail::k broke no-duplicate-events in 1 trial: 50 %25 of it%0Ais: gone\. See it again: [^\n]*\n$/,
    );
  });

  test('at most ten of them, the last of which counts the rest', () => {
    const lines = github(runOf(many)).annotations.trim().split('\n');
    expect(lines).toHaveLength(ANNOTATIONS_MAX);
    expect(lines.at(-1)).toMatch(/and 2991 more reasons: see the summary$/);
  });

  test('a pass is a notice, and what nobody can tell a warning', () => {
    expect(github(runOf()).annotations).toBe('::notice title=crash-campaign%3A pass::pass\n');
    expect(github(comparisonOf({}, {}, 3)).annotations).toMatch(/^::warning title=crash-campaign%3A inconclusive::only 3 pairs/);
  });

  test('a summary under 1 MiB, with what the step has already written', () => {
    const run = runOf(many);
    for (const room of [SUMMARY_BYTES_MAX, 5000]) {
      const { summary } = github(run, room);
      expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(room);
      expect(summary).toMatch(/left out, for want of room/);
    }
  });

  test('outputs, one on each line', () => {
    expect(github(gateOf(runOf(), comparisonOf({}, {}))).outputs).toBe('verdict=pass\nexit-code=0\nrun-directory=reports/runs/r\n');
  });
});

describe('ndjson', () => {
  test('each trial on a line, and the whole last', () => {
    const run = runOf();
    const lines = ndjson(run)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.slice(0, -1)).toEqual(run.records);
    expect(lines.at(-1)).toEqual(JSON.parse(JSON.stringify(run.summary)));
  });
});
