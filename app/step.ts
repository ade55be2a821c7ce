/**
 * The steps of a run, in the order of a plain run. Wherever a process dies between two steps, nothing is lost and nothing
 * is done twice. Each step is reached after the previous fact is stored and before the next; a test kills the bot there.
 */
export const STEPS = [
  { name: 'delivery-received', says: 'A message arrived, and is not stored.' },
  { name: 'delivery-stored', says: 'The message is stored. Slack has no acknowledgement, and no process works on it.' },
  { name: 'delivery-acknowledged', says: 'Slack has the acknowledgement.' },
  { name: 'thread-taken', says: 'A process works on the thread, and the message is in no journal.' },
  { name: 'run-started', says: 'The message is in the journal of a run, and no longer in the inbox.' },
  { name: 'message-joined', says: 'A later message is in the journal of the run at work.' },
  { name: 'model-streaming', says: 'A part of the model’s answer has arrived.' },
  { name: 'reply-begun', says: 'The intent to stream the reply is written, and nothing stands in the thread.' },
  { name: 'reply-opened', says: 'A reply without words stands in the thread, and its receipt is not stored.' },
  { name: 'reply-placed', says: 'The receipt of the reply is stored.' },
  { name: 'reply-grown', says: 'A part of the answer can be read in the thread.' },
  {
    name: 'turn-answered',
    says: 'The model’s answer is written, with the sender of its text, and nothing follows from it yet.',
  },
  { name: 'post-begun', says: 'A process is written as the sender of a message, and nothing was sent.' },
  { name: 'post-sent', says: 'The message stands in the thread, and its receipt is not stored.' },
  {
    name: 'post-recorded',
    says: 'The receipt of the message is stored, and with that of the last answer the end of the run.',
  },
  { name: 'call-asked', says: 'The question is written, with the poster of its own card, and no card shows it.' },
  { name: 'calls-listed', says: 'The questions that share a card are written, and no card shows them.' },
  {
    name: 'card-begun',
    says: 'A process is written as the poster of a list card or a replaced card, and nothing was sent.',
  },
  { name: 'card-posted', says: 'The card stands in the thread, and its receipt is not stored.' },
  { name: 'card-recorded', says: 'The receipt of the card is stored.' },
  { name: 'card-lost', says: 'A pending card is written as deleted, and no card stands in its place.' },
  { name: 'people-told', says: 'People were reminded of the question, and that is not written.' },
  { name: 'call-waiting', says: 'The run waits for a person.' },
  { name: 'press-received', says: 'A press was acknowledged, and is not written.' },
  { name: 'yes-counted', says: 'One of several approvals is written, and no card shows it.' },
  { name: 'call-decided', says: 'The decision is written, and the process that took the press did nothing more.' },
  { name: 'trust-given', says: 'The trust given with the decision is written, and the process did nothing more.' },
  { name: 'waiter-woken', says: 'The run that waits knows the answer.' },
  { name: 'painting-sent', says: 'A card was painted, and that is not written.' },
  { name: 'call-starting', says: 'The grant is found, and the call is not started.' },
  { name: 'trust-used', says: 'The call is counted on the trust that covers it, and is not started.' },
  { name: 'call-started', says: 'The call is written as started, and the tool has not begun.' },
  { name: 'line-begun', says: 'A process is written as the sender of a trust’s line, and nothing was sent.' },
  { name: 'line-sent', says: 'The line of the trust stands in the thread, and its receipt is not stored.' },
  { name: 'line-recorded', says: 'The receipt of the line is stored.' },
  { name: 'line-changed', says: 'The line shows a later call, and that is not written.' },
  { name: 'tool-returned', says: 'The tool returned, and that is not written.' },
  { name: 'call-finished', says: 'The result is written, and the model does not know it.' },
  { name: 'unknown-written', says: 'A lost call is written as unknown, and the thread was not told.' },
  { name: 'question-asked', says: 'A question of another kind is written, and no card shows it.' },
  { name: 'question-begun', says: 'A process is written as the poster of its card, and nothing was sent.' },
  { name: 'question-posted', says: 'Its card stands in the thread, and the receipt is not stored.' },
  { name: 'question-recorded', says: 'The receipt of its card is stored.' },
  { name: 'doubt-waiting', says: 'The run waits for a person to say what became of a lost call.' },
  { name: 'question-settled', says: 'The answer is written, and nothing follows from it yet.' },
  { name: 'trust-taken', says: 'A trust is written as ended, and its workspace does not know.' },
  { name: 'call-expired', says: 'The question is written as expired, and the thread was not told.' },
  { name: 'run-stopped', says: 'The run is written as stopped, and the thread was not told.' },
  { name: 'run-finished', says: 'The run is written as finished, and may still owe posts and paintings.' },
  {
    name: 'run-sealed',
    says: 'The end of the run is in its workspace’s journal, and in its own only on a store of one process.',
  },
  { name: 'run-paid', says: 'The run owes nothing, and its thread is still on the list of those to advance.' },
  { name: 'run-exported', says: 'A run past its retention is exported, and its removal is not written.' },
  { name: 'run-retired', says: 'The removal is in the journal of its workspace, and the run is still stored.' },
] as const;

export type Step = (typeof STEPS)[number]['name'];

/** Called at each step, and awaited. It does nothing unless a test kills the process there. */
export type AtStep = (step: Step) => void | Promise<void>;

/**
 * Test hook: kills the process at a step, the first time or a later time it gets there. While `die` is still pending, every
 * caller that reaches the step waits.
 *
 * @param wish a name, or a name and a count as in `call-started:2`.
 */
export function dyingAt(wish: string, die: () => void | Promise<void>): AtStep {
  const [name, count = '1'] = wish.split(':');
  if (!STEPS.some((step) => step.name === name)) {
    throw new Error(`COUNTERSIGN_DIE_AT names ${name}, which is no step of a run. app/step.ts lists them.`);
  }
  let left = Number(count);
  let death: ReturnType<AtStep>;
  return (step) => {
    if (step !== name) return;
    left -= 1;
    if (left === 0) death = die();
    return death;
  };
}
