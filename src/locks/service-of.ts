import type { LockHolder, LockSite, ServiceAccess } from './lock.ts';

/** For adapters of locks that are kept in a service. */
export function serviceOf(site: LockSite): ServiceAccess {
  if (site.service) return site.service;
  throw new Error('this lock is kept in a service: give the subject one, e.g. service: "redis"');
}

/** Who holds a lock in which its kernel's session, or a thief, has written its name. */
export function holderNamed(name: string): LockHolder {
  return /^s\d+$/.test(name) ? { session: name } : { name };
}
