import { EVENTS } from '../../agent/contract/events.ts';

export function eventTable(): string {
  return [
    '| Event | Means |',
    '| --- | --- |',
    ...Object.entries(EVENTS).map(([name, doc]) => `| \`${name}\` | ${doc} |`),
  ].join('\n');
}
