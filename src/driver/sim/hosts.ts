import { type Stream, stream } from '../../random/stream.ts';

/** A virtual machine: sessions on it see each other's pids; all hosts share the state directory. */
export interface Host {
  name: string;
  boot_id: string;
  pid_namespace: string;
  /** What its wall clock shows beyond the true time. */
  skew_ms: number;
}

export interface Hosts {
  /** The host of that name; made when it is first spoken of. */
  get(name: string): Host;
  /** A pid that is free on the host: small at first, and growing as pids do. */
  assignPid(host: Host, taken: (pid: number) => boolean): number;
  /** The next pid to be assigned, unless it is taken there then. */
  reusePid(pid: number): void;
  /** A new boot id, and pids start anew. */
  reboot(host: Host): void;
}

/** The parent of every session, on each host. */
export const INIT_PID = 1;

export function openHosts(seed: string | number): Hosts {
  const hosts = new Map<string, Host & { boots: number; pids: Stream; lastPid: number }>();
  let wanted: number | null = null;

  function boot(name: string, boots: number) {
    const random = stream('sim', 'host', seed, name, boots);
    const hex = (digits: number) => Array.from({ length: digits }, () => random.int(0, 15).toString(16)).join('');
    const boot_id = `${hex(8)}-${hex(4)}-4${hex(3)}-${random.pick(['8', '9', 'a', 'b'])}${hex(3)}-${hex(12)}`;
    const pid_namespace = `pid:[${4_026_531_840 + random.int(0, 9999)}]`;
    return { boots, boot_id, pid_namespace, pids: random, lastPid: random.int(100, 900) };
  }

  function known(name: string) {
    const host = hosts.get(name) ?? { name, skew_ms: 0, ...boot(name, 1) };
    hosts.set(name, host);
    return host;
  }

  return {
    get: known,
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
    reboot({ name }) {
      const host = known(name);
      Object.assign(host, boot(name, host.boots + 1));
    },
  };
}
