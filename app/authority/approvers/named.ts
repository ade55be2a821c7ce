import type { Log } from '../../log.ts';
import { isGroup, UserId } from '../../records/index.ts';
import type { Tool } from '../../tools/index.ts';
import type { Account, People } from '../people.ts';
import type { ReadRule } from '../policy/rules.ts';
import { OUT } from './lack-words.ts';

/** Looks up who is named in the configuration to decide: a name that became wrong would be noticed only when a call waits. */

/** What a deployment says about who decides, as far as it names people. */
interface Naming extends Pick<Tool, 'stages' | 'deadlines'> {
  readonly name: string;
  readonly approvers?: readonly string[] | undefined;
}

export interface NamedIn {
  readonly rules: readonly ReadRule[];
  readonly tools: readonly Naming[];
}

/** People and groups who are named, by the rule or the tool that names them. */
export type NamedApprovers = ReadonlyMap<string, readonly string[]>;

export function namedApprovers({ rules, tools }: NamedIn): NamedApprovers {
  const all: readonly (readonly [string, Naming])[] = [
    ...rules.map((rule) => [`The rule ${JSON.stringify(rule.name)}`, rule] as const),
    ...tools.map((tool) => [`The policy of ${tool.name}`, tool] as const),
  ];
  return new Map(
    all.flatMap(([who, { approvers = [], stages = [], deadlines }]) => {
      const names = [...approvers, ...stages.flatMap((stage) => stage.approvers), ...(deadlines?.escalateTo ?? [])];
      const ids = [...new Set(names.filter((name) => /^[UWS]/.test(name)))];
      return ids.length === 0 ? [] : [[who, ids] as const];
    }),
  );
}

export interface LookDeps {
  readonly people: Pick<People, 'account' | 'members'>;
  readonly named: () => NamedApprovers;
}

/**
 * One warning for each rule and tool that names people or groups who decide in none of these workspaces. Slack is asked about
 * one after the other. What Slack does not answer is no warning.
 */
export async function lookAtApprovers(
  { people, named }: LookDeps,
  teams: readonly string[],
): Promise<readonly string[]> {
  const faults = new Map<string, string | undefined>();
  const warnings: string[] = [];
  for (const [who, names] of named()) {
    for (const name of names) if (!faults.has(name)) faults.set(name, await faultOf(people, name, teams));
    const found = names.flatMap((name) => faults.get(name) ?? []);
    if (found.length > 0)
      warnings.push(`${who} names approvers who cannot decide: ${found.join('; ')}. Correct the ids.`);
  }
  return warnings;
}

/** What is wrong with this name. `undefined` if it is right in one of the workspaces, or if Slack does not say. */
async function faultOf(
  people: LookDeps['people'],
  name: string,
  teams: readonly string[],
): Promise<string | undefined> {
  let fault: string | undefined;
  for (const team of teams) {
    const found = isGroup(name) ? await groupFault(people, name, team) : await accountFault(people, name, team);
    if (found === undefined) return undefined;
    fault = fault === undefined || fault.endsWith(OUT.missing[0]) ? found : fault;
  }
  return fault;
}

async function groupFault(people: LookDeps['people'], group: string, team: string): Promise<string | undefined> {
  const members = await people.members({ team }, group);
  return members?.length === 0 ? `${group} is no user group here, or has no members` : undefined;
}

async function accountFault(people: LookDeps['people'], name: string, team: string): Promise<string | undefined> {
  const account: Account = await people.account({ user: UserId.parse(name), team });
  return account === 'person' || account === 'unknown' ? undefined : `${name} ${OUT[account][0]}`;
}

export interface ApproverWatch {
  /** Looks up all people and groups who are named, in these workspaces. */
  readonly look: (teams: readonly string[]) => Promise<void>;
  /** What the last look found. */
  readonly warnings: () => readonly string[];
}

export function createApproverWatch({ log, ...deps }: LookDeps & { readonly log: Log }): ApproverWatch {
  let last: readonly string[] = [];
  return {
    look: async (teams) => {
      const found = await lookAtApprovers(deps, teams);
      for (const warning of found) if (!last.includes(warning)) log.warn(warning);
      last = found;
    },
    warnings: () => last,
  };
}
