import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { execa } from 'execa';
import type { Subject } from '../campaign/campaign.ts';
import { CampaignError } from '../campaign/campaign-error.ts';
import { type PackageSpec, packagesOf, parsePackage } from '../campaign/package-spec.ts';
import { openWorkspace, sweepWorkspaces } from '../driver/workspace.ts';
import type { InstalledPackage } from '../history/record.ts';
import { makeDirectory } from './make-directory.ts';
import { addToLock, digestOfTree, installedIn, type LockedTree, lockedTree, refuseInCi, treeIn } from './package-lock.ts';

/** A package in the cache. `directory` is that of the package itself, with what it depends on beside it. */
export interface CachedPackage extends InstalledPackage {
  directory: string;
}

/** Where packages are kept, each in a folder of its own: below CRASH_CAMPAIGN_CACHE, or the user's cache directory as XDG has it. */
export function packageCache(): string {
  const { CRASH_CAMPAIGN_CACHE: own, XDG_CACHE_HOME: xdg } = process.env;
  const root = own ? resolve(own) : join(xdg ? resolve(xdg) : join(homedir(), '.cache'), 'crash-campaign');
  return join(root, 'packages', `${process.platform}-${process.arch}`);
}

/** The packages in the cache, by the names of their folders: `lockfile@1.0.4`. */
export async function cachedPackages(): Promise<string[]> {
  const names = await readdir(packageCache()).catch(() => []);
  return names.filter((name) => name.includes('@')).map((name) => (name.startsWith('@') ? name.replace('+', '/') : name));
}

/** Whether all packages of a subject are in the cache, so that it runs without a network. `directory` is that of its campaign. */
export function areCached(subject: Subject, directory: string): boolean {
  return pinsOf(subject, directory).every((pin) => existsSync(folderOf(pin)));
}

/**
 * The packages of a subject; what is not in the cache yet is installed from npm. A package appears in the cache in one step, when all of it is there, so that harnesses
 * may install the same at once, and one that is killed leaves nothing that another would take for whole.
 *
 * With a lock file, what a package depends on is installed as that says, to the byte; what it does not have yet is added to it.
 * @param directory of the campaign, which the path of its lock file is relative to.
 * @throws {CampaignError} When npm can't be reached, or does not have that package in that version.
 */
export async function installPackages(subject: Subject, directory: string): Promise<CachedPackage[]> {
  const installed: CachedPackage[] = [];
  for (const pin of pinsOf(subject, directory)) {
    const { spec, locked, lockFile } = pin;
    if (lockFile !== null && locked === null) refuseInCi(lockFile, spec);
    const folder = folderOf(pin);
    if (!existsSync(folder)) await install(pin, folder);
    if (lockFile !== null && locked === null) addToLock(lockFile, spec, await treeIn(folder));
    installed.push({ ...(await installedIn(folder, spec)), directory: join(folder, 'node_modules', spec.name) });
  }
  return installed;
}

/** One package of a subject, and what there is to say of how it is installed. */
interface Pin {
  spec: PackageSpec;
  isBuilt: boolean;
  lockFile: string | null;
  /** What the lock file says; null: nothing. */
  locked: LockedTree | null;
}

function pinsOf(subject: Subject, directory: string): Pin[] {
  const isBuilt = subject.installScripts === true;
  const lockFile = subject.packageLock === undefined ? null : resolve(directory, subject.packageLock);
  return packagesOf(subject)
    .flatMap((text) => parsePackage(text) ?? [])
    .map((spec) => ({ spec, isBuilt, lockFile, locked: lockFile === null ? null : lockedTree(lockFile, spec) }));
}

/** No name of a package has a `+` in it. What was built on this machine is for this kind of node only. */
function folderOf({ spec: { name, version }, isBuilt, locked }: Pin): string {
  const built = isBuilt ? `+built-${process.versions.modules}` : '';
  const tree = locked ? `+locked-${digestOfTree(locked)}` : '';
  return join(packageCache(), `${name.replace('/', '+')}@${version}${built}${tree}`);
}

async function install({ spec, isBuilt, locked }: Pin, folder: string): Promise<void> {
  const root = dirname(folder);
  makeDirectory(root);
  await sweepWorkspaces(root);
  const workspace = await openWorkspace({ root });
  try {
    const place = join(workspace.directory, 'package');
    await mkdir(place);
    await writeFile(join(place, 'package.json'), `${JSON.stringify({ private: true, dependencies: { [spec.name]: spec.version } })}\n`);
    if (locked) await writeFile(join(place, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, requires: true, packages: locked }));
    await runNpm(locked ? 'ci' : 'install', place, spec, isBuilt);
    await rename(place, folder).catch((error: NodeJS.ErrnoException) => {
      // Another harness was faster, and what it put there is as good.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await workspace.remove();
  }
}

const NO_NETWORK = /^(E?NOTFOUND|ENETUNREACH|EHOSTUNREACH|ECONN\w+|ETIMEDOUT|EAI_AGAIN|ENOTCACHED|ERR_SOCKET_TIMEOUT|FETCH_ERROR)$/;

async function runNpm(command: 'ci' | 'install', cwd: string, spec: PackageSpec, installScripts: boolean): Promise<void> {
  const once = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=60000'];
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--json'];
  const args = [command, '--prefix', cwd, `--ignore-scripts=${!installScripts}`, '--package-lock=true', ...once, ...quiet];
  // What is built must be built for the node that kernels get.
  const env = { PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) };
  const { exitCode, code, stdout, stderr } = await execa('npm', args, { cwd, env, reject: false, stdin: 'ignore' });
  if (exitCode === 0) return;
  const asked = `${spec.name}@${spec.version}`;
  const fail = (problem: string, remedy: string) => new CampaignError({ field: 'package', problem, remedy });
  if (code === 'ENOENT') throw fail(`${asked} is not in the cache, and there is no npm to install it with`, 'Put npm on the PATH.');
  const error = errorOf(stdout);
  const why = error?.summary || stderr.trim().split('\n')[0] || `npm ended with ${exitCode}`;
  if (error?.code === 'E404') throw fail(`npm has no package ${spec.name}`, 'Correct its name, or let npm be configured for where it is.');
  if (error?.code === 'ETARGET')
    throw fail(`npm has no ${asked}, or something that it depends on is not there`, `See npm view ${spec.name} versions.`);
  if (error?.code === 'EINTEGRITY')
    throw fail(
      `npm gives something else for ${asked} than what was locked: ${why}`,
      'Find out why, before you take it out of the lock file.',
    );
  if (NO_NETWORK.test(error?.code ?? ''))
    throw fail(
      `${asked} is not in the cache, and npm's registry can't be reached: ${why}`,
      `Run this once with a network; afterwards it is taken from ${packageCache()}.`,
    );
  throw fail(`npm could not install ${asked}: ${why}`, 'Try npm install with it in an empty folder.');
}

function errorOf(stdout: string): { code?: string; summary?: string } | undefined {
  try {
    return JSON.parse(stdout).error;
  } catch {
    return undefined;
  }
}
