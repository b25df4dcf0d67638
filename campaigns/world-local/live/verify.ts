/**
 * Shows a finding again without the simulation: a session on the real clock and a real disk is killed at a call, and another is started on what it left.
 *
 *     npx node campaigns/world-local/live/verify.ts 5.0.0-beta.46 'mkdir(.json.lock)#1+'
 *
 * Prints how long the second one took, how it ended and what is in the log.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { prepareKernel } from '../../../src/campaign/prepare.ts';
import { installPackages } from '../../../src/campaign-run/packages.ts';
import campaign from '../campaign.ts';
import { readLog } from '../read.ts';
import { runIdOf } from '../run-id.ts';

const [version = '', ...places] = process.argv.slice(2);
const subject = campaign.subjects?.find(({ name }) => name === version);
if (!subject) throw new Error(`no subject ${version}: write one of ${campaign.subjects?.map(({ name }) => name).join(', ')}`);
const root = await mkdtemp(join(tmpdir(), 'world-local-live-'));
try {
  const target = join(root, 'kernel');
  await mkdir(target);
  const file = fileURLToPath(new URL('../campaign.ts', import.meta.url));
  const kernel = await prepareKernel({
    campaign,
    file,
    subject,
    variant: null,
    packages: await installPackages(subject, dirname(file)),
    target,
  });
  for (const [index, place] of places.entries()) {
    const state = join(root, `state-${index}`);
    await mkdir(state);
    await writeFile(join(state, 'run-id'), runIdOf(Date.now()));
    const [program = '', ...args] = kernel.expand({ state, ttl_ms: 30_000 }).command;
    const session = (preload: string[], env: Record<string, string>) =>
      execa(program, [...preload, ...args], { env: { CRASH_CAMPAIGN_STATE: state, ...env }, reject: false, stdin: 'ignore' });
    const preload = ['--import', pathToFileURL(fileURLToPath(new URL('./kill-at.mjs', import.meta.url))).href];
    const killed = await session(preload, { KILL_AT: place, CRASH_CAMPAIGN_SESSION: 's1' });
    const before = readLog(join(state, 'data')).events.length;
    const began_ms = performance.now();
    const next = await session([], { CRASH_CAMPAIGN_SESSION: 's2' });
    const took_s = ((performance.now() - began_ms) / 1000).toFixed(1);
    const { events, unreadable } = readLog(join(state, 'data'));
    const ids = events.map(({ id }) => id);
    const twice = ids.filter((id, at) => ids.indexOf(id) < at);
    const reason = /@crash reason (.*)/.exec(next.stdout)?.[1] ?? '';
    console.log(
      [
        `${version} ${place}`,
        `  first   ${killed.signal ?? `code ${killed.exitCode}`}, ${before} events`,
        `  second  code ${next.exitCode} after ${took_s} s ${reason}`,
        `  log     ${ids.length} events${twice.length > 0 ? `, twice: ${twice.join(', ')}` : ''}${unreadable.length > 0 ? ', unreadable files' : ''}`,
        `          ${ids.join(' · ')}`,
      ].join('\n'),
    );
  }
} finally {
  await rm(root, { recursive: true, force: true });
}
