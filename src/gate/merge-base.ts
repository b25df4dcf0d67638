import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { execa } from 'execa';

/** There is no other version to compare with: what is missing, and what to do. */
export class MergeBaseError extends Error {
  constructor(problem: string, remedy: string) {
    super(`${problem}. ${remedy}`);
    this.name = 'MergeBaseError';
  }
}

export interface MergeBase {
  commit: string;
  /** A path of the working tree, in the tree of that commit. */
  pathOf(path: string): string;
}

/**
 * Checks the commit where `ref` and HEAD parted out beside the working tree, with its packages, for as long as `work` takes. It is gone afterwards, also when the process ends
 * in the middle of it. The branch, the index and the working tree are left alone.
 * @param folder In the repository that is meant.
 * @throws {MergeBaseError}
 */
export async function withMergeBase<T>(folder: string, ref: string, work: (base: MergeBase) => Promise<T>): Promise<T> {
  const top = (await git(folder, ['rev-parse', '--show-toplevel'], `${folder} is in no git repository`, 'Compare with --baseline.')).trim();
  await git(top, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], `there is no commit ${ref}`, SHALLOW);
  const commit = (await git(top, ['merge-base', ref, 'HEAD'], `${ref} and HEAD have no commit in common`, SHALLOW)).trim();
  const place = mkdtempSync(join(realpathSync(tmpdir()), 'crash-campaign-merge-base-'));
  const tree = join(place, 'tree');
  const remove = () => {
    // Packages that are only linked are taken off first: nothing may follow the link.
    for (const link of linked) rmSync(link, { force: true });
    rmSync(place, { recursive: true, force: true });
    execFileSync('git', ['worktree', 'prune'], { cwd: top, stdio: 'ignore' });
  };
  const linked: string[] = [];
  process.on('exit', remove);
  try {
    await git(top, ['worktree', 'add', '--detach', '--quiet', tree, commit], `${commit} can't be checked out`, 'See what git says.');
    for (const directory of foldersUp(realpathSync(folder), top)) {
      const link = await bringPackages(join(top, directory), join(tree, directory));
      if (link !== null) linked.push(link);
    }
    return await work({ commit, pathOf: (path) => join(tree, relative(top, realpathSync(path))) });
  } finally {
    remove();
    process.off('exit', remove);
  }
}

const SHALLOW = 'Fetch it; in CI, check out with the whole history (fetch-depth: 0).';

async function git(cwd: string, args: string[], problem: string, remedy: string): Promise<string> {
  const { exitCode, stdout, stderr } = await execa('git', args, { cwd, reject: false, stdin: 'ignore' });
  if (exitCode === 0) return stdout;
  throw new MergeBaseError(stderr === '' ? problem : `${problem} (${stderr.split('\n')[0]})`, remedy);
}

/** The folders from one up to the top, relative to the top, which is ''. */
function foldersUp(folder: string, top: string): string[] {
  const path = relative(top, folder);
  return path === '' ? [''] : [path, ...foldersUp(dirname(folder), top)];
}

const LOCKS = ['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock'];

/**
 * The packages of a folder at that commit: those of the working tree where the same ones are asked for, else installed from its lock file. Resolves to the link, if it made one.
 */
async function bringPackages(here: string, there: string): Promise<string | null> {
  if (!existsSync(join(there, 'package.json'))) return null;
  const own = join(here, 'node_modules');
  const isSame = ['package.json', ...LOCKS].every((name) => packagesIn(join(here, name)) === packagesIn(join(there, name)));
  if (isSame) {
    if (!existsSync(own) || existsSync(join(there, 'node_modules'))) return null;
    symlinkSync(realpathSync(own), join(there, 'node_modules'));
    return join(there, 'node_modules');
  }
  if (!LOCKS.slice(0, 2).some((name) => existsSync(join(there, name))))
    throw new MergeBaseError(
      `the packages have changed since that commit, and it has no package-lock.json to install them from (${there})`,
      'Compare with --baseline.',
    );
  const { exitCode, stderr } = await execa('npm', ['ci', '--no-audit', '--no-fund'], { cwd: there, reject: false, stdin: 'ignore' });
  if (exitCode !== 0) throw new MergeBaseError(`npm ci failed at that commit: ${stderr.trim().split('\n')[0]}`, 'Compare with --baseline.');
  return null;
}

/** What decides on packages: a lock file whole; of a package.json what it depends on. Null: there is none. */
function packagesIn(file: string): string | null {
  if (!existsSync(file) || !lstatSync(file).isFile()) return null;
  const text = readFileSync(file, 'utf8');
  if (!file.endsWith('package.json')) return text;
  const { dependencies, devDependencies, optionalDependencies, overrides, workspaces } = JSON.parse(text);
  return JSON.stringify([dependencies, devDependencies, optionalDependencies, overrides, workspaces]);
}
