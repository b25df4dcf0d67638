import { expect, test } from 'vitest';
import { wrapperFiles } from '../../src/init/wrapper.ts';

test.each(['worker.mjs', "it's", `"it's"`, 'C:\\temp', 'two\nlines', '\\"\r\t'])(
  'a word of the command is the same in the campaign: %j',
  async (word) => {
    const timing = { live: { ttl_ms: 1000, recovers_within_ms: 2000, deadline_ms: 3000 } };
    const [, campaign] = wrapperFiles('mine', ['./worker', word], [], {
      by: 'text',
      timing,
      notSimulated: null,
      events: 2,
      live_ms: 9,
      unknownAck: null,
    });
    const [, command] = /command: (\[.*?\]),\n {2}\},/s.exec(campaign?.text ?? '') ?? [];
    const written = await import(`data:text/javascript,${encodeURIComponent(`export default ${command}`)}`);
    expect(written.default).toEqual(['sh', '{kernel}/campaigns/mine/session.sh', './worker', word]);
  },
);
