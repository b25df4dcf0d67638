import { type Stats, statSync } from 'node:fs';

/** Looks whether a file that this process appends to is still there as a whole: somebody may remove it, put another in its place, or cut it off. */
export interface FileWatch {
  /** So many bytes more have been appended. */
  grown(bytes: number): void;
  /** What has become of it; null: it is whole. One call of the system. */
  look(): 'removed' | 'replaced' | 'cut off' | null;
}

export function watchFile(path: string): FileWatch {
  const lookAt = (): Stats | undefined => statSync(path, { throwIfNoEntry: false });
  const first = lookAt();
  let size = first?.size ?? 0;
  return {
    grown(bytes) {
      size += bytes;
    },
    look() {
      const now = lookAt();
      if (!now) return 'removed';
      if (now.ino !== first?.ino || now.dev !== first.dev) return 'replaced';
      return now.size < size ? 'cut off' : null;
    },
  };
}
