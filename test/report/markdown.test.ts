import { describe, expect, test } from 'vitest';
import { markdown } from '../../src/report/markdown/markdown.ts';
import { codeBlock, fit, plainText } from '../../src/report/markdown/text.ts';
import { broken, record } from '../fixtures/records.ts';
import { comparisonOf, gateOf, runOf } from './results.ts';

describe('markdown', () => {
  test('of a run: the verdict and why first, each finding with the line that replays it, tables folded away', () => {
    const text = markdown(runOf([record(1), broken(2, [{ message: 'event `7` | stands *twice*' }])]));
    expect(text).toMatch(/^### ❌ FAIL {2}c under sim\n\n- k broke no-duplicate-events in 1 trial/);
    expect(text).toContain('event \\`7\\` \\| stands \\*twice\\*');
    expect(text).toContain(
      "```sh\n# s1@op#5:kill\nnpx crash-campaign replay c --scenario kill-anywhere --subject k --seed 2 --plan 's1@op#5:kill'\n```",
    );
    expect(text).toMatch(/<details><summary>Trials and recovery times<\/summary>\n\n\| scenario \| subject \|/);
  });

  test('a finding of a variant of which nothing is expected is told apart', () => {
    const text = markdown(runOf([broken(1, [{}]), broken(2, [{}], { variant: 'slower' })]));
    expect(text.match(/^\*\*(broken|in a variant): .*/gm)).toEqual([
      '**broken: no-duplicate-events** by k, in 1 trial',
      '**in a variant: no-duplicate-events** by k, variant slower, in 1 trial',
    ]);
  });

  test('of a gate: one verdict over both, what to do next, then the comparison and the run', () => {
    const text = markdown(gateOf(runOf(), comparisonOf({}, { lease_ms: 40_000 })));
    expect(text).toMatch(
      /^### ❌ FAIL {2}c under sim, against the baseline reports\/baselines\/c\.json, made at abc\n\n- mean recovery changed/,
    );
    expect(text).toMatch(/\*\*Next\*\*\n\n- see the seed that slowed down most/);
    expect(text.indexOf('Recovery of k against k: regressed')).toBeLessThan(text.indexOf('Trials and recovery times'));
  });

  test('a comparison that is ok', () => {
    expect(markdown(comparisonOf({}, {}))).toMatch(/^### ✅ OK {2}c under sim: k → k/);
  });

  test('is short enough for a comment, however much there is to say', () => {
    const findings = Array.from({ length: 300 }, (_, i) =>
      broken(i, [{ message: `${i} ${'é'.repeat(500)}`, site: String.fromCodePoint(0x4e00 + i) }]),
    );
    const text = markdown(runOf(findings));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(65_000);
    expect(text).toMatch(/\d+ more sections were left out, for want of room: see `crash-campaign report`\n$/);
  });
});

describe('text in it', () => {
  test('means nothing and calls nobody', () => {
    expect(plainText('<b>@you</b> #1 a|b [x](y) ~z~\nnext')).toBe('&lt;b&gt;@<!-- -->you&lt;/b&gt; \\#1 a\\|b \\[x\\](y) \\~z\\~ next');
  });

  test('code has a fence that it can not end', () => {
    expect(codeBlock('sh', 'a ```` b')).toBe('`````sh\na ```` b\n`````');
  });

  test('what does not fit is left out from the end, to the byte', () => {
    expect(fit(['a', 'b'], 100, 'there')).toBe('a\n\nb\n');
    const sections = Array.from({ length: 50 }, (_, i) => `${i}`.padEnd(20));
    for (const room of [200, 301, 777]) expect(Buffer.byteLength(fit(sections, room, 'there'))).toBeLessThanOrEqual(room);
  });
});
