import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Node } from './durability.ts';

/**
 * Makes a directory hold the first version of a tree. What is right already is left alone, and what can be mended in place is, so that
 * sessions of other hosts keep their open files.
 * @param except Absolute paths of files whose content is not known.
 */
export function restore(root: string, tree: Node, except: ReadonlySet<string>): void {
  const placed = new Map<Node, string>();
  place(root, tree);

  function place(path: string, node: Node) {
    const [{ tail, entries, mode, mtime_ms }] = node.versions;
    let here = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (here && here.ino !== node.inode) {
      rmSync(path, { recursive: true });
      here = undefined;
    }
    const twin = placed.get(node);
    placed.set(node, path);
    if (node.kind === 'link') {
      if (!here) symlinkSync(tail.toString(), path);
      return;
    }
    if (node.kind === 'directory') {
      if (!here) mkdirSync(path);
      for (const name of readdirSync(path)) if (!entries.has(name)) rmSync(join(path, name), { recursive: true });
      for (const [name, entry] of entries) place(join(path, name), entry);
    } else if (!here && twin !== undefined) {
      linkSync(twin, path);
      return;
    } else if (!except.has(path) && !(here && readFileSync(path).equals(tail))) {
      writeFileSync(path, tail);
    }
    chmodSync(path, mode);
    if (Number(lstatSync(path, { bigint: true }).mtimeNs) / 1e6 !== mtime_ms) utimesSync(path, mtime_ms / 1000, mtime_ms / 1000);
  }
}
