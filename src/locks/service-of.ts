import type { LockSite, ServiceAccess } from './lock.ts';

/** For adapters of locks that are kept in a service. */
export function serviceOf(site: LockSite): ServiceAccess {
  if (site.service) return site.service;
  throw new Error('this lock is kept in a service: give the subject one, e.g. service: "redis"');
}
