import { expect } from 'vitest';
import type { Step } from '../../app/step.ts';
import { draws, says } from './bot.ts';
import type { Walked } from './dying-walk.ts';

/** Where a plain walk dies, with the row of the fault matrix, and what must be seen besides what is always true. */
export interface Row {
  readonly id: string;
  readonly at: Step | `${Step}:2`;
  readonly must: string;
  /** How often the tool ran, and whether that is known. */
  readonly ran?: 0 | 1;
  readonly known?: boolean;
}

export const PLAIN: readonly Row[] = [
  { id: 'FK1', at: 'delivery-received', must: 'Slack sends again, and there is one run' },
  { id: 'FK2', at: 'delivery-stored', must: 'the duplicate is ignored, and there is one run' },
  { id: 'FK3', at: 'delivery-acknowledged', must: 'a sweep starts the run' },
  { id: 'FK4', at: 'thread-taken', must: 'the thread is taken over' },
  { id: 'FK5', at: 'run-started', must: 'the message is in one journal once' },
  { id: 'FK6', at: 'model-streaming', must: 'the turn is asked for again, and nothing half is kept' },
  { id: 'FK7', at: 'turn-answered', must: 'the model is not asked again' },
  { id: 'FK8', at: 'call-asked', must: 'one card is posted' },
  { id: 'FK8', at: 'card-begun', must: 'one card is posted' },
  { id: 'FK9', at: 'card-posted', must: 'the same card is found' },
  { id: 'FK10', at: 'card-recorded', must: 'it waits' },
  { id: 'FK11 FK12', at: 'call-waiting', must: 'a press at the first start runs it' },
  { id: 'FK13', at: 'press-received', must: 'the card is live, and pressing again works' },
  { id: 'FK14', at: 'call-decided', must: 'the run goes on without a hint' },
  { id: 'FK15', at: 'waiter-woken', must: 'the run goes on though its waiter is gone' },
  { id: 'FK16', at: 'painting-sent', must: 'the card is right' },
  { id: 'FK16', at: 'call-starting', must: 'the call is started once' },
  { id: 'FK17', at: 'call-started', must: 'nobody knows, a person is told, and it is not run', ran: 0, known: false },
  { id: 'FK18', at: 'tool-returned', must: 'nobody knows, a person is told, and it ran once', ran: 1, known: false },
  { id: 'FK19', at: 'call-finished', must: 'the model hears the result' },
  { id: 'FK6', at: 'turn-answered:2', must: 'the last answer is not asked for again' },
  { id: 'FK20', at: 'post-begun', must: 'the thread is told once' },
  { id: 'FK20', at: 'post-sent', must: 'the thread is told once' },
  { id: 'FK20', at: 'post-sent:2', must: 'there is one reply' },
  { id: 'FK20', at: 'post-recorded:2', must: 'there is one reply' },
  { id: 'FK20', at: 'post-recorded', must: 'the thread is told once' },
  { id: 'FK21', at: 'run-finished', must: 'it stays finished' },
  { id: 'FK21', at: 'run-paid', must: 'the thread is told that nobody works any more' },
];

/** The steps of asking what became of a call that was lost. */
export const LOST = [
  'unknown-written',
  'doubt-asked',
  'doubt-begun',
  'doubt-posted',
  'doubt-recorded',
  'doubt-waiting',
  'doubt-settled',
] as const satisfies readonly Step[];

/** What a tool server asks in the middle of a call, which a crash makes a lost one. */
export const ASKED_BY_SERVERS = [
  'inquiry-asked',
  'inquiry-begun',
  'inquiry-posted',
  'inquiry-recorded',
  'inquiry-settled',
] as const satisfies readonly Step[];

/** The thread is told of a call that ran on trust. */
export const LINES = ['line-begun', 'line-sent', 'line-recorded', 'line-changed'] as const satisfies readonly Step[];

/** Every step that a test of the kill points dies at; `test/scenarios/kill-points*.test.ts` has them. */
export const TESTED: readonly string[] = [
  ...PLAIN.map(({ at }) => at.replace(/:2$/, '')),
  ...LOST,
  ...ASKED_BY_SERVERS,
  ...LINES,
  'reply-begun',
  'reply-opened',
  'reply-placed',
  'reply-grown',
  'message-joined',
  'trust-used',
  'trust-taken',
  'calls-listed',
  'call-expired',
  'run-stopped',
];

export const ENDS = /Done\. The|Understood/;

/** One card, no buttons, one end, and the tool as often as the row says: as people and tools saw it. */
export function witnessesAgree({ history }: Walked, { ran = 1, known = true }: Partial<Row>): void {
  expect(history.begun).toHaveLength(ran);
  expect(history.done).toHaveLength(ran);
  expect(history.runs).toHaveLength(1);
  expect(history.messages.filter((message) => draws(message, 'approval_deny'))).toEqual([]);
  expect(history.messages.filter((message) => says(message, ENDS))).toHaveLength(1);
  expect(doubtsIn(history.messages)).toHaveLength(known ? 0 : 1);
  const unknown = history.runs.flatMap(({ entries }) => entries.filter(({ type }) => type === 'call-unknown'));
  expect(unknown).toHaveLength(known ? 0 : 1);
}

type Messages = Walked['history']['messages'];

export const cardsIn = (messages: Messages): Messages => ofKind(messages, 'card:');
export const doubtsIn = (messages: Messages): Messages => ofKind(messages, 'doubt:');

const ofKind = (messages: Messages, kind: string): Messages =>
  messages.filter(({ metadata }) => JSON.stringify(metadata ?? {}).includes(`"${kind}`));
