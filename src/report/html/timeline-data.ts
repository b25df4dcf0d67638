import type { Entry, History } from '../../history/history.ts';
import type { TrialRecord } from '../../history/record.ts';
import { count } from '../duration.ts';
import { condense, type Line } from '../timeline/condense.ts';
import { story } from '../timeline/story.ts';
import { operationText } from '../timeline/tell.ts';
import type { ChosenTrial } from './chosen-trials.ts';
import { sampled } from './recovery-times.ts';
import { type Span, spansOf } from './timeline-spans.ts';

/**
 * What the page's script draws a timeline from. Places are given by their index among `gaps_us`, the entries that are drawn: with a
 * fraction where something lies between two of them. Lanes are given by their index among `sessions`; -1 is the lock.
 */
export interface TimelineData {
  id: string;
  title: string;
  group: string;
  verdict: TrialRecord['verdict'];
  plan: string;
  /** What else is to be said of it, e.g. what was left out. */
  notes: string[];
  sessions: string[];
  /** Microseconds since the entry before. */
  gaps_us: number[];
  lines: LineData[];
  spans: Span[];
  /** Place, lane, index among `texts`, and whether it changes the state directory. */
  operations: [at: number, lane: number, text: number, changes: 0 | 1][];
  texts: string[];
  /** `pair`: the two of its proofs that collide; one if there is only one. */
  violations: { invariant: string; message: string; at: number[]; pair: number[] }[];
  story: string[];
}

export interface LineData {
  at: number;
  lane: number;
  sign: string;
  /** A word or two beside its mark, where there is room. */
  label: string;
  text: string;
  /** Drawn with a mark of its own; the others are lines of the list only. */
  told: boolean;
  breaks: string[];
}

/** So many operations, and so many lines, are drawn of one trial. */
const MOST_OPERATIONS = 2500;
const MOST_LINES = 1200;
const FIRST_LINES = 200;

export function timelineData(history: History, { record, group, notes }: ChosenTrial): TimelineData {
  const { entries } = history;
  const place = new Map(entries.map((entry, index) => [entry, index]));
  const index = (entry: Entry | undefined) => (entry && place.get(entry)) ?? 0;
  const sessions = entries.filter((entry) => entry.type === 'spawn').map(({ session }) => session);
  const lane = (session: string | null) => (session === null ? -1 : sessions.indexOf(session));

  const allLines = condense(history, record.violations).filter(({ entries: [entry] }) => entry?.type !== 'final');
  const lines = shortened(allLines);
  const allOperations = [...entries.keys()].filter((i) => entries[i]?.type === 'operation');
  const operations = sampled(allOperations, MOST_OPERATIONS);
  const spans = spansOf(history, sessions);
  const proofs = record.violations.map(({ invariant, message, entries: at }) => ({ invariant, message, at, pair: collision(entries, at) }));

  // Only what something refers to is an entry of the page.
  const kept = [
    ...new Set([
      0,
      entries.length - 1,
      ...lines.map((line) => index(line.entries[0])),
      ...operations,
      ...spans.flatMap(({ from, to }) => [Math.floor(from), Math.ceil(from), Math.floor(to), Math.ceil(to)]),
      ...proofs.flatMap(({ at }) => at),
    ]),
  ].toSorted((a, b) => a - b);
  const renumbered = new Map(kept.map((old, now) => [old, now]));
  const at = (old: number) => {
    const [before, after] = [renumbered.get(Math.floor(old)) ?? 0, renumbered.get(Math.ceil(old)) ?? 0];
    return Math.round((before + (old % 1) * (after - before)) * 1000) / 1000;
  };
  const texts = new Map<string, number>();
  const textOf = (text: string) => texts.get(text) ?? texts.set(text, texts.size).size - 1;
  const { scenario, seed, subject, variant, verdict, plan, id } = record;

  return {
    id,
    title: `${scenario}, seed ${seed}: ${variant === null ? subject : `${subject}, ${variant}`}`,
    group,
    verdict,
    plan: plan === '' ? 'no faults' : plan,
    sessions,
    gaps_us: gapsOf(kept.map((old) => entries[old]?.t_ms ?? 0)),
    lines: lines.map((line) => ({
      at: at(index(line.entries[0])),
      lane: lane(line.session),
      sign: signOf(line),
      label: labelOf(line.entries[0]),
      text: line.text,
      told: line.weight !== 'detail' || line.breaks.length > 0,
      breaks: line.breaks,
    })),
    spans: spans.map((span) => ({ ...span, from: at(span.from), to: at(span.to) })),
    operations: operations.map((old) => {
      const entry = entries[old] as Extract<Entry, { type: 'operation' }>;
      return [at(old), lane(entry.session), textOf(operationText(entry)), entry.changes ? 1 : 0];
    }),
    texts: [...texts.keys()],
    violations: proofs.map((proof) => ({ ...proof, at: proof.at.map(at), pair: proof.pair.map(at) })),
    story: story(history, record.violations),
    notes: [
      ...(variant === null ? [] : [`a control: ${variant} is a copy of the program that was broken on purpose`]),
      ...notes,
      ...(operations.length < allOperations.length
        ? [`of ${allOperations.length} operations a sample of ${operations.length} is drawn`]
        : []),
      ...(lines.length < allLines.length ? [`${count(allLines.length - lines.length, 'line')} from the middle left out`] : []),
    ],
  };
}

/** The last proof, and the one before that is of its kind: the two writes that collide. Where there is none, whatever proof came before. */
function collision(entries: Entry[], proofs: number[]): number[] {
  const inOrder = proofs.toSorted((a, b) => a - b);
  const last = inOrder.pop();
  if (last === undefined) return [];
  const partner = inOrder.findLast((other) => entries[other]?.type === entries[last]?.type) ?? inOrder.at(-1);
  return partner === undefined ? [last] : [partner, last];
}

/** A long trial is cut in its middle, as its story is; what proves a violation stays. */
function shortened(lines: Line[]): Line[] {
  if (lines.length <= MOST_LINES) return lines;
  return lines.filter(({ breaks }, i) => i < FIRST_LINES || i >= lines.length - (MOST_LINES - FIRST_LINES) || breaks.length > 0);
}

/** What a line is drawn as. */
function signOf({ entries: [entry], weight }: Line): string {
  if (entry === undefined || weight === 'detail') return 'detail';
  switch (entry.type) {
    case 'lock':
      return entry.change;
    case 'end':
      return entry.code === 0 ? 'done' : 'died';
    case 'fault':
      return entry.phase === 'failed' ? 'missed' : 'fault';
    default:
      return entry.type;
  }
}

function labelOf(entry: Entry | undefined): string {
  switch (entry?.type) {
    case 'event':
    case 'event-lost':
      return entry.id;
    case 'work':
      return entry.unit;
    case 'killed':
      return 'killed';
    case 'paused':
      return 'paused';
    case 'continued':
      return 'goes on';
    case 'end':
      return entry.reason ?? (entry.signal === null ? `exits ${entry.code}` : entry.signal);
    default:
      return '';
  }
}

function gapsOf(times_ms: number[]): number[] {
  return times_ms.map((ms, i) => Math.round((ms - (times_ms[i - 1] ?? 0)) * 1000));
}
