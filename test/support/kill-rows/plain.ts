import { expect } from 'vitest';
import type { Step } from '../../../app/step.ts';
import { draws, hasSearched, type Stage } from '../bot.ts';
import type { Walk, Walked } from '../dying-walk.ts';
import { ENDS, type Ran, type Row, witnessesAgree } from './row.ts';

interface Plain extends Ran {
  readonly id: string;
  readonly at: Step | `${Step}:2`;
  readonly must: string;
}

const STEPS_OF_A_WALK: readonly Plain[] = [
  { id: 'FK1', at: 'delivery-received', must: 'Slack sends again, and there is one run' },
  { id: 'FK2', at: 'delivery-stored', must: 'the duplicate is ignored, and there is one run' },
  { id: 'FK3', at: 'delivery-acknowledged', must: 'a sweep starts the run' },
  { id: 'FK4', at: 'thread-taken', must: 'the thread is taken over' },
  { id: 'FK5', at: 'run-started', must: 'the message is in one journal once' },
  { id: 'FK6', at: 'model-streaming', must: 'the turn is asked for again, and nothing half is kept' },
  { id: 'FK7', at: 'turn-answered', must: 'the model is not asked again' },
  { id: 'FK8', at: 'call-asked', must: 'one card is posted' },
  { id: 'FK9', at: 'card-posted', must: 'the same card is found' },
  { id: 'FK10', at: 'card-recorded', must: 'it waits' },
  { id: 'FK12', at: 'call-waiting', must: 'a press at the first start runs it' },
  { id: 'FK13', at: 'press-received', must: 'the card is live, and pressing again works' },
  { id: 'FK14', at: 'call-decided', must: 'the run goes on without a hint' },
  { id: 'FK15', at: 'waiter-woken', must: 'the run goes on though its waiter is gone' },
  { id: 'FK16', at: 'painting-sent', must: 'the card is right' },
  { id: 'FK16', at: 'call-starting', must: 'the call is started once' },
  { id: 'FK17', at: 'call-started', must: 'nobody knows, a person is told, and it is not run', ran: 0, known: false },
  { id: 'FK18', at: 'tool-returned', must: 'nobody knows, a person is told, and it ran once', ran: 1, known: false },
  { id: 'FK19', at: 'call-finished', must: 'the model hears the result' },
  { id: 'FK6', at: 'turn-answered:2', must: 'the last answer is not asked for again' },
  { id: 'FK20', at: 'post-sent', must: 'the thread is told once' },
  { id: 'FK20', at: 'post-sent:2', must: 'there is one reply' },
  { id: 'FK20', at: 'post-recorded:2', must: 'there is one reply' },
  { id: 'FK20', at: 'post-recorded', must: 'the thread is told once' },
  { id: 'FK21', at: 'run-finished', must: 'it stays finished' },
  { id: 'FK21', at: 'run-sealed', must: 'it is sealed, and told no second time' },
  { id: 'FK21', at: 'run-paid', must: 'the thread is told that nobody works any more' },
];

/** The same walk with a model that speaks slowly: people read along when the bot dies. */
const WHILE_PEOPLE_READ_ALONG: readonly Plain[] = [
  { id: 'FK6', at: 'reply-begun', must: 'nothing stands there, and the answer is begun again' },
  { id: 'FK6', at: 'reply-opened', must: 'the message without words is found and taken back' },
  { id: 'FK6', at: 'reply-placed', must: 'the message is taken back' },
  { id: 'FK6', at: 'reply-grown', must: 'the half answer is taken back' },
  { id: 'FK7', at: 'turn-answered', must: 'the half answer becomes the whole one' },
  { id: 'FK20', at: 'post-sent', must: 'it is told once, where people read along' },
  { id: 'FK20', at: 'post-recorded', must: 'it is told once, where people read along' },
];

const AGAIN: readonly Step[] = ['model-streaming', 'card-posted', 'call-starting'];

/** A press would settle the question before its card is searched for. */
const PRESSED_ONCE_FOUND: Partial<Walk> = {
  onlyLastIsPressed: true,
  afterwards: async (stage: Stage) => {
    await stage.world.until(() => hasSearched(stage), { what: 'a search of the thread' });
  },
};

/** One call that is asked about, approved and made: a death at each step, and some twice. */
export const PLAIN: readonly Row[] = [
  ...STEPS_OF_A_WALK.map(
    ({ id, at, must, ...ran }): Row => ({
      id,
      must,
      walk: { dieAt: [at], ends: ENDS, ...(at === 'card-posted' ? PRESSED_ONCE_FOUND : {}) },
      seen: (walked) => {
        witnessesAgree(walked, ran);
        if (at === 'press-received') cardWasLive(walked);
      },
    }),
  ),
  ...AGAIN.map(
    (at): Row => ({
      id: 'FK23',
      must: 'it goes on',
      walk: { dieAt: [at, at], ends: ENDS, ...(at === 'card-posted' ? { onlyLastIsPressed: true as const } : {}) },
      seen: (walked) => witnessesAgree(walked),
    }),
  ),
];

export const READ_ALONG: readonly Row[] = WHILE_PEOPLE_READ_ALONG.map(
  ({ id, at, must }): Row => ({
    id,
    must,
    walk: { dieAt: [at], slowly: true, cutTurns: at.startsWith('reply-') ? 1 : 0, ends: ENDS },
    seen: (walked) => witnessesAgree(walked),
  }),
);

/** While no process ran, the card could be pressed, and no tool had run. */
function cardWasLive({ before }: Walked): void {
  expect(before[0]?.messages.filter((message) => draws(message, 'approval_deny'))).toHaveLength(1);
  expect(before[0]?.begun).toEqual([]);
}
