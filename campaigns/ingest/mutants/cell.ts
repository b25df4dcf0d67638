import { z } from 'zod';

/** The ways in which a mutant is looked for. */
export const STRATEGIES = ['random', 'scenario', 'pct', 'explore', 'explore-power-cut'] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** What one strategy made of one mutant (or, null, of the kernel as it is) from one base seed. */
export const cellSchema = z.object({
  mutant: z.string().nullable(),
  strategy: z.enum(STRATEGIES),
  seed: z.int(),
  /** So many trials were to be run at most. */
  most: z.int(),
  /** How many were: up to the first that broke an invariant, or all that there were to be, which are fewer than `most` where a search has come to its end. */
  trials: z.int(),
  /** Those that said nothing. */
  void: z.int(),
  /** What the last trial broke, gravest first; empty when nothing did. */
  broke: z.array(z.string()),
  scenario: z.string().nullable(),
  plan: z.string().nullable(),
});
export type Cell = z.infer<typeof cellSchema>;

/** What is asked. */
export type Question = Pick<Cell, 'mutant' | 'strategy' | 'seed' | 'most'>;

export const isCaught = ({ broke }: Cell): boolean => broke.length > 0;
