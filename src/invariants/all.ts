import finishes from './finishes.ts';
import type { Invariant } from './invariant.ts';
import keepsItsLease from './keeps-its-lease.ts';
import noDebris from './no-debris.ts';
import noDuplicateEvents from './no-duplicate-events.ts';
import noForeignRelease from './no-foreign-release.ts';
import noLostAcks from './no-lost-acks.ts';
import noWriteAfterTheft from './no-write-after-theft.ts';
import oneHolderAtATime from './one-holder-at-a-time.ts';
import recoversWithin from './recovers-within.ts';
import resumesWithoutRedoing from './resumes-without-redoing.ts';
import robbedSessionDies from './robbed-session-dies.ts';
import stateParses from './state-parses.ts';
import tokensNeverGoBack from './tokens-never-go-back.ts';

/** What is judged when a campaign does not choose: gravest first. */
export const allInvariants: Invariant[] = [
  noDuplicateEvents,
  noLostAcks,
  noWriteAfterTheft,
  oneHolderAtATime,
  noForeignRelease,
  tokensNeverGoBack,
  robbedSessionDies,
  keepsItsLease,
  resumesWithoutRedoing,
  stateParses,
  finishes,
  recoversWithin,
  noDebris,
];
