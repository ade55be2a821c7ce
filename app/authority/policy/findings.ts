import type { Tool } from '../../tools/index.ts';
import { SOME_REQUESTER, whyNoApprover } from '../approvers/possible.ts';
import { duration } from '../trust-lines.ts';
import { type ReadRule, strongerOrEqual } from './rules.ts';
import { waysOfAsking } from './ways.ts';

/** What is allowed but hardly meant. `npm run policy -- check` prints it; it does not stop a start. */
export function policyFindings({ rules, tools, servers }: Policy): readonly string[] {
  return [
    ...deadRules(rules),
    ...uselessRules(rules, tools),
    ...unknownServers(rules, servers),
    ...unapprovable(rules, tools),
    ...long(tools),
  ];
}

export interface Policy {
  readonly rules: readonly ReadRule[];
  readonly tools: readonly Tool[];
  /** Names of the tool servers of the deployment. */
  readonly servers: readonly string[];
}

/** Rules without effect: another rule fits every call that they fit, and wins. */
function deadRules(rules: readonly ReadRule[]): readonly string[] {
  return rules.flatMap((rule, index) => {
    const winner = rules.find((other, place) => {
      const first = other.effect !== rule.effect || place < index;
      return other !== rule && !other.shadow && first && strongerOrEqual(other, rule) && coversAll(other, rule);
    });
    if (winner === undefined) return [];
    const said = winner.effect === rule.effect ? 'says the same earlier' : `says ${winner.effect}, which is stronger`;
    const does = isOpposite(winner, rule) ? `contradicts rule ${quoted(rule)}` : `makes rule ${quoted(rule)} useless`;
    return [`Rule ${quoted(winner)} ${does}: it fits all of the same calls, and ${said}.`];
  });
}

const isOpposite = (winner: ReadRule, rule: ReadRule) => winner.effect === 'deny' && rule.effect === 'allow';

function coversAll(wide: ReadRule, narrow: ReadRule): boolean {
  const within = (names: readonly string[] | undefined, all: readonly string[] | undefined) =>
    all === undefined || names?.every((name) => all.includes(name)) === true;
  return (
    (wide.when === undefined || wide.when === narrow.when) &&
    within(narrow.tools, wide.tools) &&
    within(narrow.servers, wide.servers) &&
    within(narrow.channels, wide.channels) &&
    within(narrow.requesters, wide.requesters)
  );
}

/** Rules that make a tool what it is already. */
function uselessRules(rules: readonly ReadRule[], tools: readonly Tool[]): readonly string[] {
  return rules.flatMap((rule) => {
    const about = tools.filter(
      ({ name, origin }) => rule.tools?.includes(name) && rule.servers?.includes(origin) !== false,
    );
    const named = rule.approvers !== undefined || rule.stages !== undefined;
    return about.flatMap(({ name, effect }) => {
      if (rule.effect === 'allow' && effect === 'open')
        return [`Rule ${quoted(rule)} allows ${name}, which runs without asking already.`];
      if (rule.effect === 'ask' && effect === 'guarded' && !named)
        return [`Rule ${quoted(rule)} asks about ${name}, which is guarded and asks every time already.`];
      return [];
    });
  });
}

function unknownServers(rules: readonly ReadRule[], servers: readonly string[]): readonly string[] {
  return rules.flatMap((rule) => [
    ...(rule.servers ?? [])
      .filter((name) => !servers.includes(name) && !ORIGINS.includes(name))
      .map((name) => `Rule ${quoted(rule)} names the tool server ${name}, which is not in the list of tool servers.`),
    ...(rule.tools ?? [])
      .filter((name) => /__/.test(name) && !servers.some((server) => name.startsWith(`${server}__`)))
      .map((name) => `Rule ${quoted(rule)} names ${name}, which no tool server in the list can offer.`),
  ]);
}

/** The origins of tools that no server offers. */
const ORIGINS = ['built in', 'deployment'];

/** Calls that no person can approve, whoever asks. */
function unapprovable(rules: readonly ReadRule[], tools: readonly Tool[]): readonly string[] {
  return tools.flatMap((tool) =>
    waysOfAsking(rules, { tool }).flatMap(({ rule, effect, by }) => {
      const why = whyNoApprover(rule, effect, { requester: SOME_REQUESTER });
      const under = by === undefined ? '' : ` under the rule ${JSON.stringify(by)}`;
      return why === undefined
        ? []
        : [`No person can approve ${tool.name}${under}, because ${why}. Its calls are refused.`];
    }),
  );
}

const LONG_MS = 30 * 24 * 60 * 60 * 1000;

function long(tools: readonly Tool[]): readonly string[] {
  return tools
    .filter(({ trust }) => trust !== undefined && trust.forMs > LONG_MS)
    .map(
      ({ name, trust }) =>
        `One press trusts ${name} for ${duration(trust?.forMs ?? 0)}. People do not remember a yes for so long.`,
    );
}

const quoted = ({ name }: ReadRule) => JSON.stringify(name);
