import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CampaignError } from '../../src/campaign/campaign-error.ts';
import { type LoadedCampaign, loadCampaign } from '../../src/campaign/load.ts';
import { oneOf } from '../../src/campaign/nearest.ts';
import type { MuseumCase } from './case.ts';

/** A case with its campaign. */
export interface Exhibit {
  about: MuseumCase;
  campaign: LoadedCampaign;
}

const folderOf = (name: string) => fileURLToPath(new URL(`${name}/`, import.meta.url));

/** In alphabetical order. */
export function listCases(): string[] {
  return readdirSync(folderOf('.'))
    .filter((name) => existsSync(`${folderOf(name)}case.ts`))
    .sort();
}

/** @throws {CampaignError} Where there is no such case, or its campaign is not what the case says. */
export async function loadExhibit(name: string): Promise<Exhibit> {
  const names = listCases();
  if (!names.includes(name)) throw new CampaignError({ given: name, problem: `there is no case ${name}`, remedy: oneOf(name, names) });
  const { default: about }: { default: MuseumCase } = await import(`${folderOf(name)}case.ts`);
  const campaign = await loadCampaign(folderOf(name));
  const wanted = [about.broken, ...(about.fixed === null ? [] : [about.fixed])];
  const subjects = (campaign.campaign.subjects ?? []).map((subject) => subject.name);
  const missing = wanted.find((subject) => !subjects.includes(subject));
  if (missing !== undefined)
    throw new CampaignError({
      file: campaign.file,
      field: 'subjects',
      problem: `the case speaks of ${missing}`,
      remedy: oneOf(missing, subjects),
    });
  return { about, campaign };
}
