import type { Entry } from '../../app/journal/facts/entries.ts';

/** How often a call began on a yes or a trust, was steered by others than its requester, or was asked for again. */
export interface Tally {
  approved: number;
  trusted: number;
  steered: number;
  again: number;
}

/**
 * What was wrong with the calls that began, read from the entries of all runs of a thread in their order. Who steered a call
 * is found without the bot's own functions: everyone who had spoken in its run before the turn that asked for it, and for a
 * request that was asked again, everyone who had steered the first one.
 */
export function steeringFaults(
  entries: readonly Entry[],
  isMember: (user: string) => boolean,
  tally: Tally,
): readonly string[] {
  const faults: string[] = [];
  let spoken = new Set<string>();
  let steeredBy = new Map<string, ReadonlySet<string>>();
  const asked = new Map<string, { readonly strict: boolean; readonly authors: ReadonlySet<string> }>();
  const yeses = new Map<string, readonly string[]>();
  for (const entry of entries) {
    switch (entry.type) {
      case 'run-started':
        spoken = new Set([entry.requester]);
        steeredBy = new Map();
        break;
      case 'person-said': {
        const again = /again:(\w{3}[\w-]+)$/.exec(entry.key)?.[1];
        if (again !== undefined) tally.again += 1;
        for (const author of [entry.user, ...(asked.get(again ?? '')?.authors ?? [])]) spoken.add(author);
        break;
      }
      case 'turn-answered':
        for (const call of entry.calls) steeredBy.set(call, new Set(spoken));
        break;
      case 'call-asked': {
        const authors = steeredBy.get(entry.call) ?? new Set();
        asked.set(entry.approval, { strict: !entry.rule.selfApproval, authors });
        break;
      }
      case 'yes-counted':
      case 'call-decided':
        yeses.set(entry.approval, [...(yeses.get(entry.approval) ?? []), entry.by]);
        break;
      case 'call-started': {
        const authors = steeredBy.get(entry.call) ?? new Set();
        if (authors.size > 1) tally.steered += 1;
        if (entry.grant.type === 'trust') {
          tally.trusted += 1;
          const strangers = [...authors].filter((author) => !isMember(author));
          if (strangers.length > 0) faults.push(`${entry.call} ran on trust, steered by ${strangers.join(', ')}`);
        }
        if (entry.grant.type === 'approval') {
          tally.approved += 1;
          const { approval } = entry.grant;
          const own = (yeses.get(approval) ?? []).filter((one) => authors.has(one));
          if (asked.get(approval)?.strict !== true) break;
          if (own.length > 0) faults.push(`${entry.call} ran on the yes of ${own.join(', ')}, who steered it`);
        }
        break;
      }
    }
  }
  return faults;
}
