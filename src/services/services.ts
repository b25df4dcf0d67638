import { join } from 'node:path';
import { execa } from 'execa';
import type { ServiceKind } from '../campaign/campaign.ts';
import type { TrialService } from '../driver/service.ts';
import type { Workspace } from '../driver/workspace.ts';
import { type Instance, startInstance } from './instance.ts';
import { openProxy, type Proxy } from './proxy.ts';
import { locate, SERVERS } from './servers.ts';
import { workspaceFor } from './workspace-for.ts';

/** A service as one trial has it, to itself. */
export interface LeasedService extends TrialService {
  /** What a session connects to: the service, or a proxy of its own in front of it. */
  urlFor(session: string): Promise<string>;
  /** To be called when the trial is over. */
  giveBack(): Promise<void>;
}

/** The servers of a run. A trial that is over leaves its server to the next one; so many run as trials that need one run at once. */
export interface Services {
  /** @param proxied Whether connections may have to be disturbed. */
  lease(kind: ServiceKind, namespace: string, proxied: boolean): Promise<LeasedService>;
  /** Ends all servers. */
  close(): Promise<void>;
}

/**
 * @param root Where servers have their directories.
 * @param running Services that run already, by their URLs: shared by all trials, and never killed.
 */
export function openServices({ root, running = {} }: { root: string; running?: Partial<Record<ServiceKind, string>> }): Services {
  const idle = new Map<ServiceKind, Instance[]>();
  const all = new Set<Instance>();
  const templates = new Map<ServiceKind, Promise<Workspace | null>>();

  async function instanceOf(kind: ServiceKind): Promise<Instance> {
    const free = idle.get(kind)?.pop();
    if (free) return free;
    if (!templates.has(kind)) templates.set(kind, makeTemplate(kind, root));
    const template = await templates.get(kind);
    const instance = await startInstance(SERVERS[kind], { root, template: template ? join(template.directory, 'server') : null });
    all.add(instance);
    return instance;
  }

  async function lease(kind: ServiceKind, namespace: string, proxied: boolean): Promise<LeasedService> {
    const url = running[kind];
    const instance = url === undefined ? await instanceOf(kind) : null;
    const access = { url: url ?? (instance as Instance).url, namespace };
    const proxies = new Map<string, Proxy>();
    /** A server that is being started again. */
    let starting: Promise<void> | null = null;
    let failure: Error | null = null;
    function start() {
      starting =
        instance &&
        instance.start().catch((error: Error) => {
          failure = error;
        });
    }

    return {
      access,
      life() {
        if (failure) throw failure;
        return instance ? instance.life() : 1;
      },
      async kill() {
        if (!instance) return { delivered: false, why: `${access.url} runs elsewhere, and is not killed` };
        if (instance.life() === null) return { delivered: false, why: 'the service was down already' };
        await starting;
        starting = null;
        await instance.kill();
        return { delivered: true };
      },
      start,
      async restored() {
        if (instance?.life() === null && !starting) start();
        await starting;
        if (failure) throw failure;
      },
      disturb: (session, how) => proxies.get(session)?.disturb(how) ?? null,
      async urlFor(session) {
        if (!proxied) return access.url;
        const to = new URL(access.url);
        const proxy = await openProxy({ hostname: to.hostname, port: Number(to.port) });
        proxies.set(session, proxy);
        to.hostname = '127.0.0.1';
        to.port = String(proxy.port);
        return to.href.replace(/\/$/, '');
      },
      async giveBack() {
        for (const proxy of proxies.values()) proxy.close();
        await starting;
        if (!instance) return;
        if (instance.life() !== null) return void idle.set(kind, [...(idle.get(kind) ?? []), instance]);
        all.delete(instance);
        await instance.remove();
      },
    };
  }

  async function close() {
    await Promise.all([...all].map((instance) => instance.remove()));
    for (const template of templates.values()) await (await template.catch(() => null))?.remove();
  }

  return { lease, close };
}

/** What every server of this kind begins with, in `server` of its directory; null: with nothing. */
async function makeTemplate(kind: ServiceKind, root: string): Promise<Workspace | null> {
  const server = SERVERS[kind];
  if (!server.template) return null;
  const { workspace, user } = await workspaceFor(server, root);
  const [program = '', ...words] = server.template(join(workspace.directory, 'server'));
  try {
    await execa(locate(program) ?? program, words, { cwd: workspace.directory, stdin: 'ignore', ...user });
  } catch (error) {
    await workspace.remove();
    throw error;
  }
  return workspace;
}
