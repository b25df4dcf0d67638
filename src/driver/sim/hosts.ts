import { type Stream, stream } from '../../random/stream.ts';
import { machineOf } from '../stage.ts';

/** A virtual machine, or a container on one: sessions on it see each other's pids. All hosts share the state directory. */
export interface Host {
  name: string;
  /** Itself, or the one that the container is on: they share host name, boot id and clock. */
  machine: Machine;
  pid_namespace: string;
}

export interface Machine extends Host {
  boot_id: string;
  /** What its wall clock shows beyond the true time. */
  skew_ms: number;
}

export interface Hosts {
  /** The host that a plan names; made when it is first spoken of. */
  get(place: string): Host;
  /** A pid that is free on the host: small at first, and growing as pids do. */
  assignPid(host: Host, taken: (pid: number) => boolean): number;
  /** The next pid to be assigned, unless it is taken there then. */
  reusePid(pid: number): void;
  /** A new boot id; on the machine and in its containers pids start anew. */
  reboot(machine: Machine): void;
}

/** The parent of every session, on each host. */
export const INIT_PID = 1;

/** On a machine much else has been started before; in a container next to nothing. */
const FIRST_PID = { machine: [100, 900], container: [2, 30] } as const;

type Known = Machine & { boots: number; pids: Stream; lastPid: number };

export function openHosts(seed: string | number): Hosts {
  const hosts = new Map<string, Known>();
  let wanted: number | null = null;

  function boot(name: string, boots: number) {
    const random = stream('sim', 'host', seed, name, boots);
    const hex = (digits: number) => Array.from({ length: digits }, () => random.int(0, 15).toString(16)).join('');
    const boot_id = `${hex(8)}-${hex(4)}-4${hex(3)}-${random.pick(['8', '9', 'a', 'b'])}${hex(3)}-${hex(12)}`;
    const pid_namespace = `pid:[${4_026_531_840 + random.int(0, 9999)}]`;
    const [from, to] = FIRST_PID[name === machineOf(name) ? 'machine' : 'container'];
    const lastPid = random.int(from, to);
    return { boots, boot_id, pid_namespace, pids: random, lastPid };
  }

  function known(name: string): Known {
    const found = hosts.get(name);
    if (found) return found;
    const host = { name, skew_ms: 0, ...boot(name, 1) } as Known;
    host.machine = name === machineOf(name) ? host : known(machineOf(name));
    hosts.set(name, host);
    return host;
  }

  return {
    get: (place) => known(place.replace('!', '')),
    assignPid({ name }, taken) {
      const host = known(name);
      if (wanted !== null && !taken(wanted)) {
        const pid = wanted;
        wanted = null;
        return pid;
      }
      wanted = null;
      do host.lastPid += host.pids.int(1, 20);
      while (taken(host.lastPid));
      return host.lastPid;
    },
    reusePid(pid) {
      wanted = pid;
    },
    reboot(machine) {
      for (const host of hosts.values()) if (host.machine === machine) Object.assign(host, boot(host.name, host.boots + 1));
    },
  };
}
