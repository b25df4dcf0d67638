import type { TrialService } from '../driver/service.ts';

/** A connection that was left over from an earlier life of the service shows only when it is used. What is really wrong is wrong again. */
const LOOKS_MAX = 3;

/** While the service is down nobody can tell what is in it: what was seen last stands. `first`: before anything was. */
export function lastKnown<S, T>(service: TrialService | null, first: T, look: (site: S) => T | Promise<T>): (site: S) => Promise<T> {
  let last = first;
  return async (site) => {
    for (let looks = 1; ; looks++) {
      const life = service ? service.life() : 1;
      if (life === null) return last;
      try {
        last = await look(site);
        return last;
      } catch (error) {
        if (!service || (service.life() === life && looks === LOOKS_MAX)) throw error;
      }
    }
  };
}
