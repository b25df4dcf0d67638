import fc from 'fast-check';
import { MOST, operationOf, plan } from '../src/plan/arbitraries.ts';
import type { Fault } from '../src/plan/plan.ts';
import type { Scenario } from '../src/plan/scenario.ts';

/** The session may die of it, and must leave what the next one can go on from; or it may go on, if it promises nothing that it did not do. */
const failingDisk: Scenario = {
  name: 'failing-disk',
  title: 'One write, sync or change of a name fails, for want of space or because of the disk.',
  drivers: ['sim'],
  draw: (golden) => {
    const places = operationOf(golden, 's1', 'before', MOST, ({ changes, kind }) => changes || kind === 'fsync' || kind === 'fdatasync');
    const failing = fc.tuple(places, fc.constantFrom('ENOSPC', 'EIO'));
    return plan([failing.map(([where, errno]): Fault => ({ where, action: { do: 'fail', errno } }))]);
  },
};

export default failingDisk;
