import { killAnywhere as kill, plan } from '../src/plan/arbitraries.ts';
import type { Scenario } from '../src/plan/scenario.ts';

const killAnywhere: Scenario = {
  name: 'kill-anywhere',
  title: 'The session is killed anywhere between its start and its end: before, after or in the middle of an operation.',
  draw: (golden) => plan([kill(golden, 's1')]),
};

export default killAnywhere;
