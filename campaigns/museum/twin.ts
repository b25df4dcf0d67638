import { sourceOf } from '../../src/judge/findings.ts';
import type { TwinAnswer } from './answers.ts';
import type { Search } from './case.ts';
import type { Exhibit } from './cases.ts';
import { brokenBy, searchIn, strategyOf } from './search.ts';

/** So many trials are asked of a fixed twin at a time, where each has a seed of its own. */
const BLOCK = 50;

/** A part of what the fixed twin is asked. */
export interface Block {
  search: Search;
  /** Its base seed: none that the broken subject was asked with. */
  block: number;
  trials: number;
}

const FIRST_BLOCK = 1_000;

/** `trials` of them, shared out among the searches of a case. A search that goes through places in turn is one block: another would try the same places again. */
export function blocksOf(searches: Search[], trials: number): Block[] {
  return searches.flatMap((search, s) => {
    const share = Math.floor(trials / searches.length) + (s < trials % searches.length ? 1 : 0);
    const size = search.by === 'random' ? BLOCK : Math.max(share, 1);
    return Array.from({ length: Math.ceil(share / size) }, (_, i) => ({
      search,
      block: FIRST_BLOCK * (s + 1) + i,
      trials: Math.min(size, share - i * size),
    }));
  });
}

/** As many again of drawn plans: where the fixed version never comes to a place that the broken one gave, a trial says nothing, and another is asked in its stead. */
export function spareBlocksOf(searches: Search[], trials: number): Block[] {
  const drawn = searches.filter(({ by }) => by === 'random');
  const first = blocksOf(searches, trials);
  return blocksOf(drawn, trials).map(({ search, trials: size }, i) => {
    const last = Math.max(...first.filter((block) => block.search === search).map(({ block }) => block));
    return { search, block: last + 1 + i, trials: size };
  });
}

/** Asks the fixed twin for one block. Null: it was interrupted. */
export async function askTwin(
  { about, campaign }: Exhibit,
  { search, block, trials }: Block,
  signal: AbortSignal,
): Promise<TwinAnswer | null> {
  const answer: TwinAnswer = { answer: 'twin', case: about.name, strategy: strategyOf(search), block, trials: 0, void: 0, broken: [] };
  const subjects = campaign.campaign.subjects ?? [];
  await searchIn(campaign, about.fixed as string, { search, seed: block, most: trials, signal }, (record) => {
    answer.trials += 1;
    if (record.verdict === 'void') answer.void += 1;
    for (const violation of record.violations)
      if (sourceOf(record, violation, subjects) === null) answer.broken.push(brokenBy(record, violation));
  });
  return signal.aborted ? null : answer;
}
