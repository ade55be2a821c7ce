/**
 * The steps of a run, in the order of a plain walk. Between two of them a process may die and nothing may be lost or done
 * twice: each name stands where the one before is a fact and the next is not, and has a test that kills the bot there.
 */
export const STEPS = [
  { name: 'delivery-received', says: 'A message arrived, and nothing of it is stored.' },
  { name: 'delivery-stored', says: 'It is stored; Slack does not know, and nobody is at work on it.' },
  { name: 'delivery-acknowledged', says: 'Slack knows that we have it.' },
  { name: 'thread-taken', says: 'Somebody is at work on the thread; the message is not in a journal.' },
  { name: 'run-started', says: 'The message is in the journal of a run, and no longer in the inbox.' },
  { name: 'message-joined', says: 'A later message is in the journal of the run that was at work.' },
  { name: 'model-streaming', says: 'A part of the model’s answer has arrived.' },
  { name: 'reply-begun', says: 'It is written that people will read along, and nothing stands in the thread.' },
  { name: 'reply-opened', says: 'A reply without words stands in the thread, and where is not written.' },
  { name: 'reply-placed', says: 'Where it stands is written.' },
  { name: 'reply-grown', says: 'A part of the answer can be read in the thread.' },
  { name: 'turn-answered', says: 'The model’s answer is written, and nothing follows from it yet.' },
  { name: 'post-begun', says: 'It is written who tells the thread something, and nothing was sent.' },
  { name: 'post-sent', says: 'The thread was told something, and its receipt is not stored.' },
  { name: 'post-recorded', says: 'The receipt of what the thread was told is stored.' },
  { name: 'call-asked', says: 'The question is written, and no card shows it.' },
  { name: 'calls-listed', says: 'It is written which questions share a card, and no card shows them.' },
  { name: 'card-begun', says: 'It is written who posts the card, and nothing was sent.' },
  { name: 'card-posted', says: 'The card stands in the thread, and its receipt is not stored.' },
  { name: 'card-recorded', says: 'The receipt of the card is stored.' },
  { name: 'card-lost', says: 'A card that waits is written as deleted, and none is in its place.' },
  { name: 'people-told', says: 'People were told of the question, each or in the thread, and that is not written.' },
  { name: 'call-waiting', says: 'Everything waits for a person.' },
  { name: 'press-received', says: 'A press was acknowledged, and nothing of it is written.' },
  { name: 'yes-counted', says: 'The yes of one of several is written, and no card shows it.' },
  { name: 'call-decided', says: 'The decision is written, and whoever pressed did nothing more about it.' },
  { name: 'trust-given', says: 'The trust that was given with it is written, and nobody did more about it.' },
  { name: 'waiter-woken', says: 'The run that waits knows the answer.' },
  { name: 'painting-sent', says: 'A card shows something newer, and that is not written.' },
  { name: 'trust-used', says: 'The call is counted on the trust that covers it, and is not started.' },
  { name: 'call-starting', says: 'The grant is found, and the call is not started.' },
  { name: 'call-started', says: 'The call is written as started, and the tool has not begun.' },
  { name: 'line-begun', says: 'It is written who tells the thread of a call on trust, and nothing was sent.' },
  { name: 'line-sent', says: 'The line of that trust stands in the thread, and its receipt is not stored.' },
  { name: 'line-recorded', says: 'The receipt of the line is stored.' },
  { name: 'line-changed', says: 'The line shows a later call, and that is not written.' },
  { name: 'tool-returned', says: 'The tool is done, and that is not written.' },
  { name: 'call-finished', says: 'The result is written, and the model does not know it.' },
  { name: 'unknown-written', says: 'A lost call is written as unknown, and nobody was told.' },
  { name: 'question-asked', says: 'A question besides approvals is written, and no card shows it.' },
  { name: 'question-begun', says: 'It is written who posts its card, and nothing was sent.' },
  { name: 'question-posted', says: 'Its card stands in the thread, and the receipt is not stored.' },
  { name: 'question-recorded', says: 'The receipt of its card is stored.' },
  { name: 'doubt-waiting', says: 'Everything waits for a person to say what became of a lost call.' },
  { name: 'question-settled', says: 'The answer is written, and nobody has done anything about it.' },
  { name: 'trust-taken', says: 'A trust is written as ended at somebody’s wish, and nothing more was done about it.' },
  { name: 'call-expired', says: 'The question is written as expired, and nobody was told.' },
  { name: 'run-stopped', says: 'The run is written as stopped, and nobody was told.' },
  { name: 'run-finished', says: 'The run is written as finished; what it owes may not be paid.' },
  { name: 'run-sealed', says: 'How it ended is in the journal of its workspace, and its own does not say so.' },
  { name: 'run-paid', says: 'The thread knows everything, and is still on the list of those to advance.' },
  { name: 'run-exported', says: 'A run whose time is over is exported, and nothing says that it goes.' },
  { name: 'run-retired', says: 'The journal of its workspace says that it goes, and it is there.' },
] as const;

export type Step = (typeof STEPS)[number]['name'];

/** Called when a step is reached, and waited for. It does nothing, except where a test lets the process die. */
export type AtStep = (step: Step) => void | Promise<void>;

/**
 * For tests: lets the process die at a step, or at the second or later time it comes there. Where dying takes its time, whoever
 * comes there goes no further.
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
