import { expect, test } from 'vitest';
import { type Host, openHosts } from '../../../src/driver/sim/hosts.ts';
import { play } from './play.ts';

const nobody = () => false;

test('a container shares its machine’s name, boot id and clock, and has a PID namespace of its own, with small pids', () => {
  const hosts = openHosts(1);
  const [machine, one, other] = ['h1', 'h1/c1', 'h1/c2!'].map(hosts.get) as [Host, Host, Host];
  expect(one.machine).toBe(machine);
  expect(other.machine).toBe(machine);
  expect(new Set([machine, one, other].map(({ pid_namespace }) => pid_namespace)).size).toBe(3);
  expect(hosts.assignPid(machine, nobody)).toBeGreaterThan(100);
  expect(hosts.assignPid(one, nobody)).toBeLessThanOrEqual(50);
  // Where its boot id can't be read a host is the same one.
  expect(hosts.get('h1/c2')).toBe(other);
  expect(hosts.get('h1!')).toBe(machine);
});

test('a machine is the same whether or not it has containers', () => {
  const [alone, withContainer] = [openHosts(1), openHosts(1)];
  withContainer.get('h1/c1');
  expect(withContainer.get('h1').machine.boot_id).toBe(alone.get('h1').machine.boot_id);
});

test('a reboot is one of the machine and of its containers', () => {
  const hosts = openHosts(1);
  const [container, elsewhere] = [hosts.get('h1/c1'), hosts.get('h2')];
  const before = [container.machine.boot_id, container.pid_namespace, elsewhere.machine.boot_id];
  hosts.reboot(container.machine);
  const after = [container.machine.boot_id, container.pid_namespace, elsewhere.machine.boot_id];
  expect(after.map((value, i) => value === before[i])).toEqual([false, false, true]);
});

test('sessions see each other in their own container only, and a reboot of the machine ends them all', async () => {
  let struck: string[] = [];
  let pid = 0;
  const { lines } = await play({
    cast: [{ command: ['sim-waits.cjs'], host: 'h1/c1' }],
    deadline_ms: 10_000,
    async on(happening, own) {
      if (happening.type === 'line' && happening.session === 's1' && pid === 0) {
        pid = own.pids['s1'] ?? 0;
        for (const host of ['h1/c1!', 'h1/c2', 'h1']) await own.start({ command: ['sim-liveness.cjs', String(pid)], host });
      }
      if (happening.type === 'ended' && happening.session === 's4') struck = await own.world.sim.reboot('h1', 'kept');
    },
  });
  const said = (session: string, what: string) =>
    lines
      .find((line) => line.startsWith(`${session}: ${what}`))
      ?.split(' ')
      .slice(2);
  expect(['s2', 's3', 's4'].map((session) => said(session, String(pid)))).toEqual([['lives'], ['ESRCH'], ['ESRCH']]);
  expect(said('s2', 'booted')).toEqual(['EACCES']);
  expect(said('s3', 'booted')).toEqual(said('s4', 'booted'));
  expect(new Set(['s2', 's3', 's4'].map((session) => said(session, 'namespace')?.[0])).size).toBe(3);
  expect(['s2', 's3', 's4'].map((session) => said(session, 'i am')?.includes('h1'))).toEqual([true, true, true]);
  expect(struck).toEqual(['s1']);
});
