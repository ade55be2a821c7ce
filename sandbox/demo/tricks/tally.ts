import type { SlackMessage } from '../../records.ts';
import type { World } from '../../world.ts';
import type { Witnessed } from './witness.ts';

/**
 * How often people were asked about a call of each tool, how often they approved one, how often one ran on a trust, and how
 * often the tool began: never more often than it was approved or trusted. None of it is the bot's own record: questions and
 * answers are counted in the messages that people see, and beginnings in what the tools write down themselves. The
 * visitor's own tools write nothing down: `witnessed` is absent.
 */
export function tallyOf(
  { channels, channel }: Pick<World, 'channels' | 'channel'>,
  witnessed: readonly Witnessed[] | undefined,
) {
  const messages = [...channels.keys()].flatMap((id) => channel(id)).filter(({ botId }) => botId !== undefined);
  const asked = counted(messages, /Approval needed: ([\w-]+)\./g);
  const approved = counted(messages, /(?:Approved[^:.]*|Working on it): ([\w-]+)\./g);
  const trusted = byTrust(messages);
  const started = new Map<string, number>();
  for (const { tool, step } of witnessed ?? []) if (step === 'begun') started.set(tool, (started.get(tool) ?? 0) + 1);
  const names = new Set([asked, approved, trusted, started].flatMap((map) => [...map.keys()]));
  return latestFirst([...names], messages).map((name) => {
    const trust = trusted.get(name) ?? 0;
    const figures = [
      `asked ${asked.get(name) ?? 0}`,
      `approved ${approved.get(name) ?? 0}`,
      ...(trust === 0 ? [] : [`on trust ${trust}`]),
      ...(witnessed === undefined ? [] : [`started ${started.get(name) ?? 0}`]),
    ];
    return `${name}: ${figures.join(' · ')}`;
  });
}

/** The tool that was used last is the first that is read. */
function latestFirst(names: readonly string[], messages: readonly SlackMessage[]): readonly string[] {
  const usedAt = (name: string) => {
    const isAbout = ({ text }: Pick<SlackMessage, 'text'>) =>
      text.includes(`: ${name}.`) || text.startsWith(`\`${name}\``);
    const about = messages.filter((message) => [message, ...message.earlier].some(isAbout));
    return Math.max(0, ...about.map(({ ts }) => Number(ts)));
  };
  const times = new Map(names.map((name) => [name, usedAt(name)]));
  return names.toSorted().toSorted((one, other) => (times.get(other) ?? 0) - (times.get(one) ?? 0));
}

/** Each line about calls on a trust is painted anew with every call, and says how many there were. */
function byTrust(messages: readonly SlackMessage[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { text } of messages) {
    const [, name, calls] = /^`([\w-]+)` without asking(?:, (\d+) calls)?/.exec(text) ?? [];
    if (name !== undefined) sums.set(name, (sums.get(name) ?? 0) + Number(calls ?? 1));
  }
  return sums;
}

/** A card is painted anew and then says less, so the version of it counts in which the words stand most often. */
function counted(messages: readonly SlackMessage[], words: RegExp): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { text, earlier } of messages) {
    const most = new Map<string, number>();
    for (const version of [...earlier.map((old) => old.text), text]) {
      const found = [...version.matchAll(words)].map(([, name = '']) => name);
      for (const name of found) {
        most.set(name, Math.max(most.get(name) ?? 0, found.filter((other) => other === name).length));
      }
    }
    for (const [name, count] of most) sums.set(name, (sums.get(name) ?? 0) + count);
  }
  return sums;
}
