import type { TrialService } from '../driver/service.ts';

/** While the service is down nobody can tell what is in it: what was seen last stands. `first`: before anything was. */
export function lastKnown<S, T>(service: TrialService | null, first: T, look: (site: S) => T | Promise<T>): (site: S) => Promise<T> {
  let last = first;
  return async (site) => {
    const life = service ? service.life() : 1;
    if (life === null) return last;
    try {
      last = await look(site);
    } catch (error) {
      if (!service || service.life() === life) throw error;
    }
    return last;
  };
}
