import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CampaignError } from '../campaign/campaign-error.ts';
import type { PackageSpec } from '../campaign/package-spec.ts';
import type { InstalledPackage } from '../history/record.ts';

interface LockFile {
  packages: Record<string, { version?: string; integrity?: string }>;
}

/**
 * What npm's lock file in a folder of the cache says of the package that was installed there.
 * @throws {CampaignError} When it does not say that: somebody has been in the cache.
 */
export async function installedIn(folder: string, { name, version }: PackageSpec): Promise<InstalledPackage> {
  const { packages } = await readFile(join(folder, 'package-lock.json'), 'utf8')
    .then((text) => JSON.parse(text) as LockFile)
    .catch((): LockFile => ({ packages: {} }));
  const found = packages[`node_modules/${name}`];
  if (found?.version !== version || found.integrity === undefined)
    throw new CampaignError({
      field: 'package',
      problem: `the cache is damaged: ${folder} does not say that it has ${name}@${version}`,
      remedy: 'Remove that folder.',
    });
  return { name, version, integrity: found.integrity, tree: treeOf(packages) };
}

/** From where each was fetched is left out: a mirror gives the same. */
function treeOf(packages: LockFile['packages']): string {
  const entries = Object.entries(packages).filter(([path]) => path !== '');
  const lines = entries.map(([path, { version, integrity }]) => `${path} ${version} ${integrity}`).toSorted();
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 12);
}
