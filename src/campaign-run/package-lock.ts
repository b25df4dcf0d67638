import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CampaignError } from '../campaign/campaign-error.ts';
import type { PackageSpec } from '../campaign/package-spec.ts';
import type { InstalledPackage } from '../history/record.ts';

/** What npm's lock file says of everything that is installed, by its path: versions and integrity. */
export type LockedTree = Record<string, { version?: string; integrity?: string }>;

/** The trees of a campaign's packages, by their specs. */
type PackageLock = Record<string, LockedTree>;

/**
 * What npm's lock file in a folder of the cache says of the package that was installed there.
 * @throws {CampaignError} When it does not say that: somebody has been in the cache.
 */
export async function installedIn(folder: string, { name, version }: PackageSpec): Promise<InstalledPackage> {
  const packages = await treeIn(folder).catch((): LockedTree => ({}));
  const found = packages[`node_modules/${name}`];
  if (found?.version !== version || found.integrity === undefined)
    throw new CampaignError({
      field: 'package',
      problem: `the cache is damaged: ${folder} does not say that it has ${name}@${version}`,
      remedy: 'Remove that folder.',
    });
  return { name, version, integrity: found.integrity, tree: digestOfTree(packages) };
}

export async function treeIn(folder: string): Promise<LockedTree> {
  return JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')).packages;
}

/** From where each was fetched is left out: a mirror gives the same. */
export function digestOfTree(tree: LockedTree): string {
  const entries = Object.entries(tree).filter(([path]) => path !== '');
  const lines = entries.map(([path, { version, integrity }]) => `${path} ${version} ${integrity}`).toSorted();
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 12);
}

/** What a lock file of a campaign says of a package; null: nothing yet. */
export function lockedTree(file: string, spec: PackageSpec): LockedTree | null {
  return readLock(file)[specOf(spec)] ?? null;
}

/**
 * Where a package is not in a lock file yet, it is installed as npm resolves it today, and added.
 * @throws {CampaignError} In CI, where nobody would commit that.
 */
export function refuseInCi(file: string, spec: PackageSpec): void {
  if (!process.env.CI) return;
  throw new CampaignError({
    field: 'packageLock',
    problem: `${file} does not have ${specOf(spec)}`,
    remedy: 'Run it once outside CI, where that is added, and commit the file.',
  });
}

/** What decides nothing about what is installed: where it came from, and what npm tells people. */
const NOT_KEPT = ['resolved', 'license', 'funding', 'deprecated'];

/** Adds what was installed of a package. */
export function addToLock(file: string, spec: PackageSpec, tree: LockedTree): void {
  const kept = (entry: object) => Object.fromEntries(Object.entries(entry).filter(([field]) => !NOT_KEPT.includes(field)));
  const lock = { ...readLock(file), [specOf(spec)]: Object.fromEntries(Object.entries(tree).map(([path, entry]) => [path, kept(entry)])) };
  const sorted = Object.fromEntries(Object.entries(lock).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(`${file}.new`, `${JSON.stringify(sorted, null, 2)}\n`);
  renameSync(`${file}.new`, file);
}

function readLock(file: string): PackageLock {
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    const problem = `${file} is no lock file: ${(cause as Error).message}`;
    throw new CampaignError({ field: 'packageLock', problem, remedy: 'Restore it, or remove it to have it made anew.' }, { cause });
  }
}

function specOf({ name, version }: PackageSpec): string {
  return `${name}@${version}`;
}
