import { expect, test } from 'vitest';
import { acceptedIn, writerOf } from '../../src/history/sightings.ts';
import { tenuresOf } from '../../src/history/tenures.ts';
import { event, history, lock, lost, whole } from '../fixtures/histories.ts';

const events = [event(1, 'a', 'l:1', 's1', 1), event(2, 'b', 'l:2', null, 1)];

test('what is accepted is what the last look found, in its order, with what was known of it before', () => {
  const accepted = acceptedIn(
    whole(events, {
      events: [
        { id: 'c', ref: 'l:3', token: 2 },
        { id: 'a', ref: 'l:1' },
      ],
    }),
  );
  expect(accepted).toMatchObject([
    { id: 'c', session: null, token: 2, index: 2 },
    { id: 'a', session: 's1', token: 1, index: 0, t_ms: 1 },
  ]);
});

test('without a last look, it is what was seen and not lost', () => {
  expect(acceptedIn(history(...events, lost(3, 'a', 'l:1'))).map(({ id }) => id)).toEqual(['b']);
});

test('a token is whose who had held it last by then', () => {
  const tenures = tenuresOf(history(lock(1, 'acquired', 's1', 1), lock(2, 'acquired', 's2', 1)));
  expect(writerOf({ session: null, token: 1 }, tenures, 0)).toBe('s1');
  expect(writerOf({ session: null, token: 1 }, tenures, 1)).toBe('s2');
  expect(writerOf({ session: 's9', token: 1 }, tenures, 1)).toBe('s9');
  expect(writerOf({ session: null, token: 7 }, tenures, 1)).toBeNull();
});
