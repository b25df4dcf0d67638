/** What is wrong with a campaign, as facts; the message is made of them. */
export interface CampaignFault {
  /** The campaign's file, where it is known. */
  file?: string;
  /** The field that is wrong, e.g. `variants[2].scenarios[0]`. */
  field?: string;
  /** What was given there, as it would be written; absent when nothing was. */
  given?: string;
  /** What is wrong, when it is not one field. */
  problem?: string;
  /** What to do instead: a whole sentence. */
  remedy: string;
}

/** A campaign that can't be found, loaded or run as it is declared. */
export class CampaignError extends Error implements CampaignFault {
  override name = 'CampaignError';
  readonly file?: string;
  readonly field?: string;
  readonly given?: string;
  readonly problem?: string;
  readonly remedy: string;

  constructor(fault: CampaignFault, options?: ErrorOptions) {
    const { file, field, given, problem, remedy } = fault;
    const what = problem ?? (given === undefined ? `${field} is missing` : `${field} is ${given}`);
    super(`${file === undefined ? '' : `${file}: `}${what}. ${remedy}`, options);
    this.file = file;
    this.field = field;
    this.given = given;
    this.problem = problem;
    this.remedy = remedy;
  }
}
