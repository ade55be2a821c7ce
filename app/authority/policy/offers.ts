import type { Json } from '../../../interventions/index.ts';
import { judgedAlike, needsSeveral } from '../../journal/index.ts';
import { isLookedUp, type StoredTrustTerms, type Thread, type TrustOffer, type UserId } from '../../records/index.ts';
import { offerFor } from '../trust-lines.ts';
import type { JudgedCall, Judgement } from './policy.ts';
import type { ReadRule } from './rules.ts';
import { type Way, waysOfAsking } from './ways.ts';

/** What can be trusted about a call by the rules: only calls that they would put to the same people in the same way. */

/** A call with its input as people see it, secrets hidden. */
export type ShownCall = JudgedCall & { readonly shown: Json };

/** What one press of *Trust* offers. Where the tool's own terms reach too far, only this exact input is offered. */
export function offerOnCard(rules: readonly ReadRule[], call: ShownCall, judged: Judgement): TrustOffer | undefined {
  const { trust, rule } = judged;
  // Where several people decide together, or others may be named for later calls, no person may decide alone about those.
  if (trust === undefined || needsSeveral(rule) || isLookedUp(rule)) return undefined;
  for (const preset of [trust, { ...trust, match: 'exact' as const }]) {
    const offer = offerFor(call.tool.name, preset, call.input, call.shown);
    if (offer !== undefined && isAskedAlike(judged, waysWithin(rules, call, offer))) return offer;
  }
  return undefined;
}

export function waysWithin(
  rules: readonly ReadRule[],
  { tool, input, ...call }: JudgedCall,
  { match, scope }: Pick<StoredTrustTerms, 'match' | 'scope'>,
): readonly Way[] {
  return waysOfAsking(rules, { tool, ...(match === 'exact' ? { input } : {}), ...whereOf({ ...call, scope }) });
}

/** Whether trust may cover these calls: no person may approve in the name of others, or what asks every time. */
export function isAskedAlike({ effect, rule }: Judgement, ways: readonly Way[]): boolean {
  return effect === 'asked' && ways.every((way) => judgedAlike(way, { effect, rule }));
}

/** Where the calls under a trust come from, as far as that is known. */
export function whereOf({
  scope,
  thread,
  requester,
}: {
  readonly scope: TrustOffer['scope'];
  readonly thread: Thread;
  readonly requester: UserId;
}): { readonly channel: string } | { readonly requester: UserId } {
  return scope === 'requester' ? { requester } : { channel: thread.channel };
}
