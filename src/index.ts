export type * from './campaign/campaign.ts';
