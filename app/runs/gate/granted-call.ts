import { hash } from 'node:crypto';
import type { Json } from '../../../interventions/index.ts';
import type { Authority } from '../../authority/index.ts';
import { type GrantedCall, type RunState, steeredBy } from '../../journal/index.ts';
import { definitionHash, type Tool } from '../../tools/index.ts';

/** A call of this run in the form that is compared with a trust: what it is, where it runs, and who steered it. */
export function grantedCall(
  { policyOf }: Pick<Authority, 'policyOf'>,
  state: RunState,
  {
    key,
    tool,
    input,
    digest,
  }: { readonly key: string; readonly tool: Tool; readonly input: Json; readonly digest: string },
): GrantedCall {
  const { thread, requester } = state;
  return {
    tool: tool.name,
    definition: definitionHash(tool),
    policy: policyOf(tool),
    input,
    digest,
    team: thread.team,
    thread,
    requester,
    steeredBy: steeredBy(state, key),
  };
}

/**
 * The thread was told that the store has lost a part of this run. A call that is new in what is left may have run before, so
 * no trust covers it.
 */
export function wasToldOfSetBack({ posting, posted }: RunState): boolean {
  return [...posting.keys(), ...posted.keys()].some((key) => key.startsWith('set-back/'));
}

/** The SHA-256 of a canonical text, which stands for what a person was shown. The same text always has the same digest. */
export function digestText(text: string): string {
  return hash('sha256', text, 'hex');
}
