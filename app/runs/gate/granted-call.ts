import { hash } from 'node:crypto';
import { type GrantedCall, type RunState, steeredBy } from '../../journal/index.ts';

/** A call of this run in the form that is compared with a trust: what it is, where it runs, and who steered it. */
export function grantedCall(
  state: RunState,
  key: string,
  call: Pick<GrantedCall, 'tool' | 'definition' | 'policy' | 'digest' | 'input'>,
): GrantedCall {
  const { thread, requester } = state;
  return { ...call, team: thread.team, thread, requester, steeredBy: steeredBy(state, key) };
}

/** The SHA-256 of a canonical text, which stands for what a person was shown. The same text always has the same digest. */
export function digestText(text: string): string {
  return hash('sha256', text, 'hex');
}
