import type { ServiceKind } from '../../src/campaign/campaign.ts';
import { locate, SERVERS } from '../../src/services/servers.ts';

/** Of these kinds the ones whose server is on this machine. What is missing is said, and is an error in CI, which has installed it. */
export function there<K extends ServiceKind>(kinds: K[]): K[] {
  return kinds.filter((kind) => {
    const { program, debian } = SERVERS[kind];
    if (locate(program) !== null) return true;
    const why = `${program} is not on this machine (Debian package ${debian})`;
    if (process.env.CI) throw new Error(why);
    console.warn(`not tested: ${kind}, because ${why}`);
    return false;
  });
}
