import { canonical, type Json, unreachable } from '../../interventions/index.ts';
import { given } from '../given.ts';
import { needsSeveral } from '../journal/index.ts';
import { isJsonObject } from '../json.ts';
import { count } from '../log.ts';
import {
  isLookedUp,
  type StoredDecisionRule,
  type StoredTrustTerms,
  type TrustOffer,
  type UserId,
} from '../records/index.ts';
import type { Tool, TrustPreset } from '../tools/index.ts';
import { SOME_REQUESTER } from './approvers/possible.ts';
import type { PersonFacts } from './people.ts';
import { ruleOf } from './policy/policy.ts';
import type { Way } from './policy/ways.ts';
import { rightToDecide, whyNoSay } from './rights.ts';

/** The sentence for a trust, and who may give a trust in words. */

/**
 * The sentence for a trust: which calls, where and how long. The card, the forms, the thread, Home and `/trusted` show this
 * text as it is stored. `shown` is the input with its secrets hidden.
 */
export function trustLine(
  tool: string,
  { match, where, scope, forMs, uses }: StoredTrustTerms,
  shown: Json = {},
): string {
  const often = uses === undefined ? '' : `, at most ${uses === 1 ? 'once' : `${uses} times`}`;
  return `${tool} ${matchWords({ match, where }, shown)}, ${SCOPES[scope]}, for ${duration(forMs)}${often}`;
}

function matchWords({ match, where = {} }: Pick<StoredTrustTerms, 'match' | 'where'>, shown: Json): string {
  switch (match) {
    case 'exact':
      return exactWords(shown);
    case 'any':
      return 'with any input';
    case 'fields':
      return `with ${membersIn(Object.entries(where).map(([name, json]) => [name, JSON.parse(json)]))} and anything else`;
  }
}

/** A longer input is cut, because the line has to be short enough to read. Its card shows all of it. */
const EXACT_CHARS = 160;

/** All of the input, or how long it is, how it begins, and where all of it stands. */
function exactWords(shown: Json): string {
  const text = canonical(shown);
  if (text === '{}') return 'with an empty input';
  const members = [...fieldsOf(shown)];
  // In words, an input is about as long as in JSON.
  const named = text.length > 2 * EXACT_CHARS ? text : membersIn(members);
  if (members.length > 0 && named.length <= EXACT_CHARS) return `with ${named}`;
  if (text.length <= EXACT_CHARS) return `with the input ${text}`;
  const count = text.length.toLocaleString('en-US');
  return `with one input of ${count} characters, which begins ${text.slice(0, EXACT_CHARS / 2)}… (all of it is on its card)`;
}

const membersIn = (members: readonly (readonly [string, Json])[]): string =>
  members.map(([name, value]) => `${inLine(name)} ${inLine(value)}`).join(' and ');

/** A plain word stands as it is. All else stands as JSON, so that no value reads like a part of the sentence. */
function inLine(value: Json): string {
  const isPlain = typeof value === 'string' && /^[A-Za-z][\w.:/@+-]*$/.test(value) && !NOT_PLAIN.includes(value);
  return isPlain ? value : canonical(value);
}

const NOT_PLAIN: readonly string[] = ['true', 'false', 'null', 'and', 'with', 'in', 'for', 'at'];

const SCOPES: Readonly<Record<TrustOffer['scope'], string>> = {
  thread: 'in this thread',
  channel: 'in this channel',
  requester: 'whenever the same person asks',
};

/**
 * What one press of *Trust* would give for this call; `undefined` when the call lacks the fields. `shown` is the input
 * with its secrets hidden.
 */
export function offerFor(tool: string, preset: TrustPreset, input: Json, shown: Json): TrustOffer | undefined {
  const { match, fields = [], scope, forMs, uses } = preset;
  const terms: StoredTrustTerms = { match, scope, forMs, ...given({ uses }) };
  if (match !== 'fields') return { ...terms, line: trustLine(tool, terms, shown) };
  const values = fieldsOf(input);
  if (!fields.every((field) => values.has(field))) return undefined;
  const where = Object.fromEntries(fields.map((field) => [field, canonical(values.get(field) ?? null)]));
  return { ...terms, where, line: trustLine(tool, { ...terms, where }) };
}

function fieldsOf(input: Json): ReadonlyMap<string, Json> {
  return new Map(isJsonObject(input) ? Object.entries(input) : []);
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

export function duration(ms: number): string {
  for (const [unit, size] of UNITS) {
    if (ms < size || ms % size !== 0) continue;
    return count(ms / size, unit);
  }
  return count(Math.round(ms / 1000), 'second');
}

export interface TrustWishFacts {
  readonly name: string;
  readonly by: PersonFacts;
  readonly scope: TrustOffer['scope'];
  /** Who began the run in this thread, if there is one. */
  readonly requester: UserId | undefined;
  /** How people are asked about the calls; absent when only the tool's definition counts. */
  readonly way?: Way | undefined;
}

/**
 * Why this person cannot trust this tool, or `undefined`. Trust approves later calls, so it takes the right to decide
 * about them. Named approvers have that right; without any, each person has it over their own calls only.
 */
export function whyNotTrusted(
  tool: Tool | undefined,
  { name, by, scope, requester, way }: TrustWishFacts,
): string | undefined {
  if (tool === undefined) return `There is no tool named ${name}. Nothing was changed.`;
  if (tool.wants !== undefined)
    return `${name} asks a person something, so there is nothing to trust. Nothing was changed.`;
  const effect = way?.effect ?? tool.effect;
  switch (effect) {
    case 'open':
      return `${name} is open: it runs without asking, unless a rule of this deployment says otherwise. Nothing was changed.`;
    case 'guarded':
      return way?.by === undefined
        ? `${name} is guarded: it needs a person's yes every time and cannot be trusted. Nothing was changed.`
        : `By the rule “${way.by}”, such a call of ${name} needs a person's yes every time and cannot be trusted. Nothing was changed.`;
    case 'asked': {
      const rule = way?.rule ?? ruleOf(tool);
      const noSay = whyNoSay(by, by.team);
      if (noSay !== undefined) return `${noSay} Nothing was changed.`;
      if (needsSeveral(rule))
        return `Several people decide about ${name}, so no person can trust it alone. Nothing was changed.`;
      if (isLookedUp(rule))
        return `Who decides about ${name} is looked up for each call, so it cannot be trusted. Nothing was changed.`;
      if (rule.approvers.length === 0) return whyNotOwn(name, { by: by.user, scope, requester });
      const own = scope === 'requester' || (scope === 'thread' && requester === by.user);
      // The right to trust their own calls is judged below. This only finds out whether they are an approver at all.
      const asked = {
        requester: own ? by.user : (requester ?? SOME_REQUESTER),
        presser: by,
        threadTeam: by.team,
        alsoSteeredBy: [],
      };
      if (rightToDecide({ ...rule, selfApproval: true }, 'asked', asked).type === 'refused')
        return `Only the approvers of ${name} can trust it${isUnseen(rule, by) ? UNSEEN : ''}. Nothing was changed.`;
      if (!rule.selfApproval && own)
        return `You cannot trust ${name} for your own calls: another person has to decide about them. Nothing was changed.`;
      return undefined;
    }
    default:
      return unreachable(effect);
  }
}

/** Slack names the members of a private channel only to those who are in it. */
const UNSEEN = ', and I do not find you in this channel. If I am not in it, invite me and try again';
const isUnseen = ({ approvers }: StoredDecisionRule, by: PersonFacts) =>
  approvers.some((approver) => approver === 'channel') && !by.inChannel;

interface OwnFacts extends Pick<TrustWishFacts, 'scope' | 'requester'> {
  readonly by: UserId;
}

function whyNotOwn(name: string, { by, scope, requester }: OwnFacts): string | undefined {
  switch (scope) {
    case 'requester':
      return undefined;
    case 'channel':
      return `No approvers are named for ${name}, so it cannot be trusted for a whole channel. Trust it for yourself, or in a thread that you began. Nothing was changed.`;
    case 'thread':
      if (requester === by) return undefined;
      return requester === undefined
        ? `I have had no request in this thread yet, so ${name} cannot be trusted here. Nothing was changed.`
        : `Another person began this thread, and only that person can trust ${name} here. Nothing was changed.`;
  }
}
