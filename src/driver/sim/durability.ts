import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stream } from '../../random/stream.ts';
import { restore } from './restore.ts';

/**
 * The account of what of the state directory would survive a power cut.
 *
 * The model. A file's content and times are durable once the file has been fsynced or fdatasynced; an entry of a directory (a creation, rename, link or
 * removal) once that directory has been. Of what is not durable, a cut keeps, by a seeded choice for each file and each directory, its changes up to one
 * of them, and loses the later ones: it keeps none, some or all. A file's content and its name are lost apart, so that a rename can survive without the
 * bytes of what was renamed. A rename from one directory to another is atomic: it survives in both or in neither.
 *
 * What real file systems promise. POSIX and fsync(2) promise as much as this model and no more. ext4, xfs and btrfs often do better: they persist the
 * entry of a new file with its fsync, or its bytes before a rename over an existing file. A program that leans on that can break here and not there.
 * Real disks can also tear one write, reorder the blocks of a file and forget what they acknowledged; that is not modelled, and neither are O_SYNC,
 * O_DSYNC and sync(2): what was written through these counts as not synced.
 *
 * The state directory stands for a shared disk: a cut on one host takes back only what that host's sessions have done. What another host or the harness
 * has done counts as durable, together with all changes of the same file or directory before it.
 */
export interface Durability {
  /** Everything that is there now is durable. Only the first call counts. */
  begin(): void;
  /**
   * Something may have changed, by a session of that host, or by the harness (null). `paths`, relative to the state directory, surely were touched.
   * Returns those files that have become too large for the account: a cut leaves their content as it is.
   */
  changed(host: string | null, paths: string[]): string[];
  /** The file or directory of that path, relative to the state directory, has been synced. */
  synced(path: string): void;
  /** The power of that host fails: the state directory is made to hold what survives. */
  cut(host: string): void;
}

/** A file, directory or symbolic link with its past, whatever its names. */
export interface Node {
  inode: bigint;
  kind: 'file' | 'directory' | 'link';
  /** The first is durable; those after it build upon it. */
  versions: [Version, ...Version[]];
  /** The bytes of a file or the target of a link, as they are now. */
  content: Buffer;
  /** Changes with the content, as far as the file system tells: before Linux 6.13 its times are as coarse as 4 ms. */
  stamp: string;
}

export interface Version {
  /** So many bytes of the version before, and then these. Appends, which are most of all changes, cost no more than what they append. */
  keep: number;
  tail: Buffer;
  /** Of a directory. */
  entries: ReadonlyMap<string, Node>;
  mode: number;
  mtime_ms: number;
  host: string | null;
  /** Two directories that change in one step are the two ends of a rename. */
  step: number;
}

/** Contents are kept in memory. */
const FILE_BYTES_MAX = 64n * 1024n * 1024n;

/** @param root The state directory. */
export function openDurability(root: string, seed: string | number): Durability {
  let tree: Node | null = null;
  /** The nodes that have a name now: an inode's number belongs to a node only as long as it has one. */
  let named = new Map<bigint, Node>();
  let step = 0;
  const tooLarge = new Set<string>();
  const random = stream('sim', 'power-cut', seed);

  function scan(host: string | null, touched: ReadonlySet<string>) {
    step++;
    const found = new Map<bigint, Node>();
    tree = look(root);
    named = found;

    function look(path: string): Node {
      const stat = lstatSync(path, { bigint: true });
      const other = found.get(stat.ino);
      if (other) return other;
      const kind = stat.isDirectory() ? 'directory' : stat.isSymbolicLink() ? 'link' : 'file';
      const now = { mode: Number(stat.mode & 0o7777n), mtime_ms: Number(stat.mtimeNs) / 1e6, host, step };
      const node: Node = named.get(stat.ino) ?? {
        inode: stat.ino,
        kind,
        versions: [{ keep: 0, tail: Buffer.alloc(0), entries: new Map(), ...now }],
        content: Buffer.alloc(0),
        stamp: '',
      };
      found.set(stat.ino, node);
      const last = node.versions.at(-1) as Version;
      const entries = new Map(
        kind === 'directory'
          ? readdirSync(path)
              .sort()
              .map((name) => [name, look(join(path, name))])
          : [],
      );

      const stamp = `${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`;
      let content = node.content;
      if (kind === 'link') content = Buffer.from(readlinkSync(path));
      else if (kind === 'file' && stat.size > FILE_BYTES_MAX) tooLarge.add(path);
      else if (kind === 'file' && (stamp !== node.stamp || touched.has(path))) content = readFileSync(path);
      node.stamp = stamp;

      if (
        now.mode !== last.mode ||
        now.mtime_ms !== last.mtime_ms ||
        !content.equals(node.content) ||
        !sameEntries(entries, last.entries)
      ) {
        const keep = content.subarray(0, node.content.length).equals(node.content) ? node.content.length : 0;
        node.versions.push({ keep, tail: content.subarray(keep), entries, ...now });
        node.content = content;
      }
      // A link is made whole, with its name.
      if (kind === 'link') settle(node, node.versions.length - 1);
      return node;
    }
  }

  /** Makes the changes of a node up to one of its versions durable, and with them the other ends of its renames. */
  function settle(node: Node, upTo: number) {
    const kept = node.versions.slice(0, upTo + 1);
    const last = kept.at(-1) as Version;
    const content = kept.reduce((bytes, { keep, tail }) => Buffer.concat([bytes.subarray(0, keep), tail]), Buffer.alloc(0));
    node.versions = [{ ...last, keep: 0, tail: content }, ...node.versions.slice(upTo + 1)];
    if (node.kind !== 'directory') return;
    const steps = new Set(kept.slice(1).map((version) => version.step));
    for (const other of reachable()) {
      const end = other.kind === 'directory' ? other.versions.findLastIndex((version) => steps.has(version.step)) : 0;
      if (end > 0) settle(other, end);
    }
  }

  /** All nodes that are there, or were when something was durable, in an order that is always the same. */
  function reachable(): Set<Node> {
    const nodes = new Set<Node>();
    const add = (node: Node) => {
      if (nodes.has(node)) return;
      nodes.add(node);
      for (const { entries } of node.versions) for (const entry of entries.values()) add(entry);
    };
    if (tree) add(tree);
    return nodes;
  }

  function begin() {
    if (tree) return;
    scan(null, new Set());
    for (const node of reachable()) settle(node, node.versions.length - 1);
  }

  return {
    begin,
    changed(host, paths) {
      const known = tooLarge.size;
      if (tree) scan(host, new Set(paths.map((path) => join(root, path))));
      return [...tooLarge].slice(known).map((path) => relative(root, path));
    },
    synced(path) {
      let node = tree;
      for (const name of path.split('/')) if (name !== '.') node = node?.versions.at(-1)?.entries.get(name) ?? null;
      if (node) settle(node, node.versions.length - 1);
    },
    cut(host) {
      for (const node of reachable()) {
        const others = node.versions.findLastIndex((version) => version.host !== host);
        settle(node, random.int(Math.max(0, others), node.versions.length - 1));
      }
      if (tree) restore(root, tree, tooLarge);
      tree = null;
      named = new Map();
      begin();
    },
  };
}

function sameEntries(a: ReadonlyMap<string, Node>, b: ReadonlyMap<string, Node>): boolean {
  return a.size === b.size && [...a].every(([name, node]) => b.get(name) === node);
}
