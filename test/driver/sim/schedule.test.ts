import { expect, test } from 'vitest';
import { openSchedule, type Seat } from '../../../src/driver/sim/schedule.ts';

function seats(...ready_us: number[]): Seat[] {
  return ready_us.map((ready, i) => ({ name: `s${i + 1}`, order: i, alive: true, paused: false, ready_us: ready }));
}

/** Three sessions of which the first has its turn, the second waits until 500 and the third can go on. */
function three() {
  const all = seats(0, 500, 10);
  const [s1, s2, s3] = all as [Seat, Seat, Seat];
  const schedule = openSchedule(all);
  expect(schedule.turn(20)).toBe(s1);
  const wait = (seat: Seat, until_us: number) => {
    seat.ready_us = until_us;
    schedule.waits(seat);
  };
  return { schedule, s1, s2, s3, wait };
}

test('who has been ready for longest is next; of equals, who was started first', () => {
  const [s1, s2, s3] = seats(5, 3, 3) as [Seat, Seat, Seat];
  const schedule = openSchedule([s1, s2, s3]);
  expect(schedule.turn(2)).toBeNull();
  expect(schedule.nextReady_us()).toBe(3);
  expect(schedule.turn(10)?.name).toBe('s2');
  schedule.waits(Object.assign(s2, { ready_us: 100 }));
  expect(schedule.turn(10)?.name).toBe('s3');
});

test('the running session runs on, though another has been ready for longer', () => {
  const { schedule, s1, s3, wait } = three();
  s1.ready_us = 30;
  expect(schedule.turn(30)).toBe(s1);
  wait(s1, 1000);
  expect(schedule.turn(30)).toBe(s3);
});

test('a session that never waits makes room after its slice, and comes back', () => {
  const { schedule, s1, s3 } = three();
  s1.ready_us = 99_000;
  expect(schedule.turn(99_000)).toBe(s1);
  s1.ready_us = 120_000;
  expect(schedule.turn(120_000)?.name).toBe('s3');
  s3.ready_us = 230_000;
  expect(schedule.turn(230_000)?.name).not.toBe('s3');
});

test('a paused or ended session has no turn, and no timer to jump to', () => {
  const { schedule, s1, s2, s3 } = three();
  s1.paused = true;
  schedule.waits(s1);
  s3.alive = false;
  schedule.waits(s3);
  expect(schedule.turn(20)).toBeNull();
  expect(schedule.nextReady_us()).toBe(500);
  s2.paused = true;
  expect(schedule.nextReady_us()).toBe(Infinity);
  s1.paused = false;
  expect(schedule.turn(20)).toBe(s1);
});

test('who is let past goes first until it waits; then the one who let it past goes on', () => {
  const { schedule, s1, s3, wait } = three();
  expect(schedule.yieldTo(s3)).toEqual({ delivered: true });
  expect(schedule.turn(20)).toBe(s3);
  wait(s3, 1000);
  expect(schedule.turn(20)).toBe(s1);
});

test('who is let past while it waits is waited for, and others go on meanwhile', () => {
  const { schedule, s1, s2, s3, wait } = three();
  schedule.yieldTo(s2);
  expect(schedule.turn(20)).toBe(s3);
  wait(s3, 100);
  expect(schedule.turn(20)).toBeNull();
  expect(schedule.nextReady_us()).toBe(100);
  s3.ready_us = 490;
  expect(schedule.turn(500)).toBe(s2);
  wait(s2, 600);
  expect(schedule.turn(500)).toBe(s1);
});

test.each(['ends', 'is paused'])('who let another past goes on when that one %s', (how) => {
  const { schedule, s1, s2 } = three();
  schedule.yieldTo(s2);
  if (how === 'ends') s2.alive = false;
  else s2.paused = true;
  schedule.waits(s2);
  expect(schedule.turn(20)).toBe(s1);
});

test('nobody is let past who can never come', () => {
  const { schedule, s1, s2, s3 } = three();
  const why = (seat: Seat | undefined) => {
    const delivery = schedule.yieldTo(seat);
    return delivery.delivered ? null : delivery.why;
  };
  expect(why(undefined)).toBe('there is no such session');
  expect(why(s1)).toBe("it is s1's turn already");
  s3.paused = true;
  expect(why(s3)).toBe('s3 is paused');
  s3.alive = false;
  expect(why(s3)).toBe('s3 has ended');
  s2.ready_us = Infinity;
  expect(why(s2)).toBe('s2 waits for no timer');
  s2.ready_us = 15;
  expect(why(s2)).toBeNull();
  expect(schedule.turn(20)).toBe(s2);
  s3.alive = true;
  s3.paused = false;
  expect(why(s3)).toBeNull();
  expect(schedule.turn(20)).toBe(s3);
  expect(why(s1)).toBe('s1 is itself held back for s2');
});

test('two may let each other past again and again', () => {
  const { schedule, s1, s3, wait } = three();
  for (const to of [s3, s1, s3, s1]) {
    for (const delivery of [schedule.yieldTo(to), schedule.yieldTo(to)]) expect(delivery).toEqual({ delivered: true });
    expect(schedule.turn(20)).toBe(to);
  }
  wait(s1, 1000);
  expect(schedule.turn(20)).toBe(s3);
});
