import type { Entry, History, StateReading } from '../history/history.ts';

/** The history with entries put in before the one at `index`. */
export function plant(history: History, index: number, ...entries: Entry[]): History {
  return { ...history, entries: history.entries.toSpliced(index, 0, ...entries) };
}

/** The history with another last look. One that has none stays as it is. */
export function rereadFinal(history: History, change: (reading: StateReading) => Partial<StateReading>): History {
  return { ...history, entries: history.entries.map((entry) => (entry.type === 'final' ? { ...entry, ...change(entry) } : entry)) };
}

/** The list with an item put in behind the last one that matches, or at the end. */
export function behind<T>(list: T[], matches: (item: T) => boolean, item: T): T[] {
  const index = list.findLastIndex(matches);
  return list.toSpliced(index === -1 ? list.length : index + 1, 0, item);
}
