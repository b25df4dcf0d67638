import type { DriverName, Timing } from '../campaign/campaign.ts';
import type { Seen } from './find-out.ts';
import type { NewFile } from './new-file.ts';
import { controlled } from './own-command.ts';

/** A campaign over a program that is there already, and one control. */
export function wrapperFiles(name: string, own: string[], files: string[], seen: Seen): NewFile[] {
  const { command, file, text, givesUp } = controlled(own, name);
  return [
    { path: file, text },
    { path: `campaigns/${name}/campaign.ts`, text: campaign(name, { command, files, givesUp }, seen) },
  ];
}

const KILL = {
  anywhere: { scenario: 'killAnywhere', name: 'kill-anywhere' },
  atEvent: { scenario: 'killAtEvent', name: 'kill-at-event' },
};

const INVARIANTS = `  // It acknowledges (@crash ack) what no event is called here. Next: take this out, when the reader's events have the ids that it acknowledges.
  invariants: allInvariants.filter(({ name }) => name !== 'no-lost-acks'),
`;

function campaign(
  name: string,
  { command, files, givesUp }: { command: string[]; files: string[]; givesUp: string },
  { by, timing, notSimulated, events, unknownAck }: Seen,
): string {
  // By the clock nobody hits the operations of a program that names no lock. And after the only event there may be nobody left to be killed.
  const scenarios = [...(timing.sim ? [KILL.anywhere] : []), ...(events > 1 ? [KILL.atEvent] : [])];
  const imports = [
    ...(unknownAck ? ['allInvariants'] : []),
    'defineCampaign',
    'everyLine',
    ...scenarios.map(({ scenario }) => scenario),
    'noLock',
  ];
  return `import { ${imports.join(', ')} } from 'crash-campaign';

export default defineCampaign({
  name: ${quote(name)},
  title: 'The program is killed, and started again until its work is done.',
  kernel: {
    // What the program needs of the project. {kernel} is a copy of it; node_modules is there too.
    directory: '../..',
    files: [${files.map(quote).join(', ')}],
    command: [${command.map(quote).join(', ')}],
  },
  // Next: say how its lock looks, and add killWhileHolding, contend and takeoverAfterExpiry. See "The lock adapter" in node_modules/crash-campaign/docs/writing-a-campaign.md.
  lock: noLock,
  // Every line of every file is a durable event. Next: say which facts there are, and which session wrote them.
  read: everyLine(${by === 'place' ? `{ by: 'place' }` : ''}),
${unknownAck ? INVARIANTS : ''}  scenarios: [${scenarios.map(({ scenario }) => scenario).join(', ')}],
  // A kernel that is broken on purpose must be caught, or nobody knows what else is not. This one throws away what another has left behind, and calls that done.
  variants: [{ name: 'throws-away', replace: { 'goes-on': ${quote(givesUp)} }, expect: { breaks: ['finishes'] }, scenarios: ['${scenarios.at(-1)?.name}'] }],
  seeds: '1-10',
  robbed_reason: 'lock-stolen',
${notSimulated === null ? '' : `  // Not simulated, because of this: ${notSimulated.replaceAll('\n', ' ')}\n`}  // From each kill to the next event: room for the work, and for a lease of a minute. Less finds more.
  timing: {
${(Object.entries(timing) as [DriverName, Timing][]).map(([driver, { ttl_ms, recovers_within_ms, deadline_ms }]) => `    ${driver}: { ttl_ms: ${ttl_ms}, recovers_within_ms: ${recovers_within_ms}, deadline_ms: ${deadline_ms} },\n`).join('')}  },
});
`;
}

/** As JSON is, which knows every character that needs an escape; but in single quotes wherever they need none. */
function quote(text: string): string {
  const json = JSON.stringify(text);
  return text.includes("'") ? json : `'${json.slice(1, -1).replaceAll('\\"', '"')}'`;
}
