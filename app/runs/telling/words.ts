import { inOneLine, quoted } from '../../../interventions/index.ts';
import { LIMITS } from '../../limits.ts';
import { count } from '../../log.ts';

/** Why the end of a call is unknown, for the model. */
const lostBy = (limitMs: number | undefined): string =>
  limitMs === undefined
    ? 'This call was cut off while it ran.'
    : `This call reached its time limit of ${limitMs / 1000} s and was told to stop.`;

/** For a run that ends without a word in its thread. A call may have begun between a person's yes and what Slack refused. */
const WHAT_RAN = 'What still waited for an answer did not run. What was approved before that may have run.';

/** What the thread is told by the bot itself, not by the model. Read them aloud. */
export const WORDS = {
  modelFailed: (why: string) =>
    `I could not get an answer from the model: ${why} Nothing is running. Write again to go on.`,
  failed: 'Something went wrong on my side, and I stopped here. Nothing runs without your say. Write again to go on.',
  declined:
    'The model declined to answer, and gave no reason. Nothing is running. Put it in other words, or write again to go on.',
  wordless: 'The model ended without any words, so I have no answer for you. Nothing is running. Write again to go on.',
  storeAway:
    'I cannot reach my store, so I have paused: I run nothing that I cannot record. I go on by myself when it is back.',
  setBack:
    'My store was set back to an earlier copy. It no longer knows some of what stands above, and I go on from what is left.',
  forgotten:
    'My record of this thread is gone, because my store was emptied or is another one: I know nothing of what was said above, and nothing that waited there will run.',
  lostWords: 'I said something here that my record has lost.',
  lostRecord:
    'A part of my record of this run is missing, so I stopped here. Nothing is running. Write again to go on.',
  setAside:
    'I crashed twice while I worked on this, so I have set it aside. Nothing more runs here; all other threads go on. Mention ' +
    'me with `stop` to end it. The person who asked for it, or an admin of this workspace, can mention me with `try again`.',
  abandoned:
    'Stopped. I crashed more than once while I worked on this, so I have left it as it is: nothing of it will run. ' +
    'Write again to begin anew; I remember nothing of what was said above.',
  stopped: 'Stopped.',
  stoppedWaiting: 'Stopped. What was waiting for an answer did not run and will not.',
  stoppedUnread: 'Stopped. I do not start on what was still waiting here.',
  /** On the card of a question that the stop cancelled; the card also names who stopped the run. */
  runStopped: 'The run was stopped.',
  unseen: 'The card could not be posted to Slack, so nobody could be asked.',
  closedChannel: `Slack takes no messages from me in the channel, so I stopped. ${WHAT_RAN}`,
  refusedPost: `Slack did not take what I had to say in the thread, so I stopped. ${WHAT_RAN}`,
  refusingWorkspace: `Slack let me do nothing in this workspace, so I stopped. ${WHAT_RAN}`,
  uninstalled: 'The app was removed from this workspace. Nothing that was waiting for an answer was run.',
  limitOutput:
    'The model reached the limit of one answer before it was done, and I stopped here. Ask for less at once, or write again to go on.',
  limitTurns: (turns: number) => `I stopped after ${count(turns, 'turn')} without an end. Write again to go on.`,
  /** `why` is the end of a sentence. */
  noApprover: (tool: string, why: string) =>
    `I cannot use \`${tool}\`: it needs a person's yes, and no person may give it here, because ${why}. ` +
    'Change in the configuration who may approve it.',
  changedTool: (tool: string, server: string) =>
    `The tool server \`${server}\` has changed \`${tool}\` since it was allowed, so each call of it needs a person's yes until ` +
    'an operator allows the change: `npm run tools -- list` shows what is different, and ' +
    `\`npm run tools -- allow ${tool}\` allows it.`,
  noApproverYet: (tool: string, why: string) =>
    `I did not ask for a yes to \`${tool}\`, and it did not run: ${why}. Ask me again in a moment.`,
  steered: (tool: string, why: string) =>
    `I did not ask for a yes to \`${tool}\`, and it did not run: ${why}. A person who helped to ask for a call does not ` +
    'approve it. Start a new thread and leave the answer to the approvers, or name more of them in the configuration.',
  unknownOutcome: (tool: string, limitMs?: number) =>
    `${
      limitMs === undefined
        ? `\`${tool}\` was cut off while it ran, and I`
        : `\`${tool}\` reached its time limit of ${limitMs / 1000} s and was told to stop. I`
    } do not know whether it finished. I have not run it again. Please check before you ask me to.`,
  unknownResult: (limitMs?: number) =>
    `${lostBy(limitMs)} It is not known whether it finished or had an effect. It was not run again. Say so, and let a ` +
    'person check before anything is repeated.',
  skippedResult: (limitMs?: number) =>
    `${lostBy(limitMs)} It is not known whether it finished or had an effect. A person chose not to repeat it. Do not ` +
    'repeat it by yourself.',
  happenedResult: (said: string | undefined, limitMs?: number) =>
    `${lostBy(limitMs)} A person says that it happened, so it was not repeated. ` +
    (said === undefined ? 'Its result was lost.' : `What came of it, in their words: ${quoted(said)}`),
  earlierAttempt:
    'This was the second attempt at this call. The first was interrupted, and it is not known whether it had its effect.',
  cardNotPosted: (tool: string) =>
    `I could not show the approval card for \`${tool}\`, so no person could be asked and it did not run.`,
  tooManyFiles: `was left out: I read up to ${LIMITS.filesPerMessage} files of a message`,
  tooManyBytes: `was left out: I read up to ${LIMITS.filesBytes / 1_000_000} MB of a message`,
  notRead: 'was not read, because the run was stopped',
  unread: (problems: readonly string[]) =>
    `I could not read everything you sent, and the agent knows it:\n\n${problems.map((problem) => `- ${problem}`).join('\n')}`,
  ofForwarded: 'came with a forwarded message, and I open only files that are sent to me',
  /** Said to the agent for the person who pressed. The agent's own earlier words are quoted, so that they request nothing. */
  askAgain: ({ tool, summary, input }: { readonly tool: string; readonly summary: string; readonly input: string }) =>
    `Nobody answered your request in time, and I still want it. Please ask again. The tool: ${quoted(tool)}. ` +
    `What it was to do: ${quoted(summary)}.${input.length <= 1_000 ? ` The input: ${inOneLine(input)}` : ''}`,
  answeredInstead: (answer: string) =>
    `A person answered in place of the tool, which was not used. Their words, quoted: ${quoted(answer)}`,
  edited: (input: string) =>
    `A person changed the input before approving it. What really ran, in place of what you asked for: ${inOneLine(input)}`,
} as const satisfies Record<string, string | ((...words: never[]) => string)>;
