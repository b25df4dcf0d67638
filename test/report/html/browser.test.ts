import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { execaSync } from 'execa';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TrialRecord } from '../../../src/history/record.ts';
import { runPage } from '../../../src/report/html/run-page.ts';
import { aRun, HOSTILE } from './a-run.ts';

/** Debian's and Ubuntu's name, then others'. */
const executable = ['chromium', 'chromium-browser', 'google-chrome']
  .map((name) => execaSync('which', [name], { reject: false }).stdout)
  .find((path) => path !== '');
const isNeeded = process.env['CI'] !== undefined;
if (executable === undefined && !isNeeded)
  process.stderr.write('html in a browser is not tested: there is no Chromium (apt-get install --no-install-recommends chromium)\n');

let directory: string;
let browser: Browser;
let url: string;
/** Of a run that broke what no entry proves. */
let unprovenUrl: string;

describe.skipIf(executable === undefined && !isNeeded)('in Chromium, from disk', () => {
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'html-browser-'));
    const written = (name: string, about: Partial<TrialRecord>) => {
      const file = join(directory, name);
      writeFileSync(file, runPage(aRun({ about })));
      return pathToFileURL(file).href;
    };
    url = written('report.html', { plan: HOSTILE });
    const message = 'no session exited 0 after the last fault';
    unprovenUrl = written('unproven.html', { violations: [{ invariant: 'finishes', message, sessions: [], entries: [] }] });
    const quiet = ['gpu', 'background-networking', 'component-update', 'sync'].map((name) => `--disable-${name}`);
    // A sandbox within a container is not to be had, and what is opened is ours.
    browser = await chromium.launch({ executablePath: executable, args: ['--no-sandbox', '--no-first-run', ...quiet] });
  });

  afterAll(async () => {
    await browser?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  /** Opens the page, and fails when it says something on the console, throws, or asks for anything but itself. */
  async function withPage(options: BrowserContextOptions, use: (page: Page) => Promise<void>, address = url): Promise<void> {
    const context = await browser.newContext({ viewport: { width: 1180, height: 860 }, ...options });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('dialog', (dialog) => complaints.push(dialog.message()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => request.url() !== address && !request.url().startsWith('data:') && complaints.push(request.url()));
    await page.goto(address);
    await use(page);
    expect(complaints).toEqual([]);
    await context.close();
  }

  const step = (page: Page) => page.locator('#step').textContent();

  test('says nothing on the console and asks the network for nothing, light and dark', async () => {
    const paper = (page: Page) => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const seen: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const)
      await withPage({ colorScheme }, async (page) => void seen.push(await paper(page)));
    expect(new Set(seen).size).toBe(2);
    await withPage({ colorScheme: 'dark' }, async (page) => {
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      expect(await paper(page)).toBe('rgb(255, 255, 255)');
      expect(await page.locator('nav').isVisible()).toBe(false);
    });
  });

  test('the violation is reached by the keyboard alone', async () => {
    await withPage({}, async (page) => {
      await page.locator('#drawing').focus();
      expect(await step(page)).toBe('Choose a step, or point at one.');
      await page.keyboard.press('v');
      expect(await step(page)).toBe('47.501 s  s1 writes event e2 (ledger.jsonl:2, token 1)  ← no-write-after-theft');
      expect(await page.locator('.mark .ring').count()).toBe(1);
      expect(await page.locator('line.chosen').count()).toBe(1);
      await page.keyboard.press('ArrowRight');
      expect(await step(page)).toBe('47.502 s  s1 exits with 0');
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowLeft');
      expect(await step(page)).toBe('47.501 s  s1 write ledger.jsonl, 40 bytes');
    });
  });

  test('a violation that no entry proves is the whole trial, to its end', async () => {
    await withPage(
      {},
      async (page) => {
        const marks = () => page.locator('#drawing .mark').count();
        const all = await marks();
        await page.locator('#drawing').focus();
        await page.keyboard.press('v');
        expect(await step(page)).toContain('47.600 s  s2 is killed');
        expect(await marks()).toBe(all);
      },
      unprovenUrl,
    );
  });

  test('the button is in the order of the tab key, and does the same', async () => {
    await withPage({}, async (page) => {
      await page.locator('#trial').focus();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      expect(await step(page)).toContain('s1 writes event e2');
    });
  });

  test('zoom shows less of the trial, and 0 all of it again', async () => {
    await withPage({}, async (page) => {
      const marks = () => page.locator('#drawing .mark').count();
      const all = await marks();
      await page.locator('#drawing').focus();
      for (const _ of Array(4)) await page.keyboard.press('+');
      expect(await marks()).toBeLessThan(all);
      await page.keyboard.press('0');
      expect(await marks()).toBe(all);
    });
  });

  test('the mouse is told what it points at', async () => {
    await withPage({}, async (page) => {
      await page.locator('#drawing .mark.event').last().hover();
      await expect.poll(() => page.locator('.tip').textContent()).toContain('s1 writes event e2');
    });
  });

  test('a finding leads to its timeline', async () => {
    await withPage({}, async (page) => {
      await page.locator('button.show').first().click();
      expect(await page.evaluate('document.activeElement.id')).toBe('drawing');
      expect(await page.locator('#violation').textContent()).toContain('no-write-after-theft');
    });
  });

  test('without JavaScript the tables, the charts and the stories are there', async () => {
    await withPage({ javaScriptEnabled: false }, async (page) => {
      expect(await page.locator('#trials tbody tr').count()).toBe(2);
      expect(await page.locator('#hits tbody tr').count()).toBeGreaterThan(2);
      expect(await page.locator('#recovery svg').count()).toBe(1);
      expect(await page.locator('#findings .story li').first().isVisible()).toBe(true);
      expect(await page.locator('#timeline noscript').textContent()).toContain('--timeline');
      expect(await page.locator('#stage').isVisible()).toBe(false);
      expect(await page.locator('button:visible').count()).toBe(0);
    });
  });

  test('on a telephone nothing is wider than the screen', async () => {
    await withPage({ viewport: { width: 390, height: 800 } }, async (page) => {
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    });
  });
});
