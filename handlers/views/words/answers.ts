import type { Approval, StandingTrust, Thread, UserId } from '../../../app/records/index.ts';
import { listedDeciders, toolName } from '../card/call.ts';
import { newerCard } from '../card/card-answer.ts';
import { join, type Mrkdwn, mention, moment, mrkdwn } from '../kit/blocks.ts';
import { SHOWN } from '../kit/limits.ts';
import { cutMiddle } from '../kit/text.ts';
import { linkToThread } from '../pages/waiting-view.ts';
import { count, listed } from './wording.ts';

/** The sentences that people are told, apart from cards and the words of the agent. Read one aloud before changing it. */

export const ANSWERS = {
  failed: mrkdwn`That was not recorded, as far as I know. Pressing again is safe.`,
  unknown: mrkdwn`I do not know this request. It may belong to another installation, or be too old. Nothing was run.`,
  notUnderstood: mrkdwn`I could not read that press, so nothing has changed.`,
  formUnread: mrkdwn`This form is from an older version of me, so I cannot use it. Nothing has changed. Open it again where you opened it.`,
  notInstalled: mrkdwn`I am not installed in this workspace any more, so nothing was done. Ask an admin of its apps to install me again.`,
  notKept: mrkdwn`I could not save your message just now, because my store does not answer. Slack sends it to me again by itself, so you need not repeat it. Nothing was run.`,
  stoppedToo: mrkdwn`The run is stopped.`,
  notStopped: mrkdwn`The run could not be stopped just now. Stop it from the menu of a card, or mention me with \`stop\`.`,
  mayNotAsk: mrkdwn`I take requests only from full members of this workspace, so the agent was not given yours. A member can ask me for you.`,
  askerUnknown: mrkdwn`Slack could not tell me who you are just now, so the agent was not given your message. Please send it again in a moment.`,
  askedAbout: mrkdwn`I am on it. My answer comes in the thread of that message.`,
  notInChannel: mrkdwn`I am not in that channel, so I could not answer there. Invite me and ask again. Nothing was run.`,
  mayNotWrite: mrkdwn`Slack does not let me write there, so I could not answer. Ask me in a channel where I may write. Nothing was run.`,
  referred: mrkdwn`I asked them. That decides nothing: the request still waits.`,
  uncalled: mrkdwn`The card names them, but Slack did not let me mention them in the thread. Ask them once more, or tell them yourself. The request still waits.`,
  pressAgain: mrkdwn`I could not ask you to confirm this in time, so nothing has changed. Press Approve again.`,
  trustEnded: mrkdwn`Trust ended: the next call asks again.`,
  trustEndedBefore: mrkdwn`This trust had ended already: the next call asks again.`,
  doneBefore: mrkdwn`I carried out these words before, so nothing has changed now.`,
  takesLong: mrkdwn`Still working on it. If no answer follows here, type it again.`,
  trustUnknown: mrkdwn`I do not know this trust. It may belong to another installation, or be too old. Nothing has changed.`,
  askedAgain: mrkdwn`I told the agent to ask again. Nothing is decided yet: a new card appears when it does.`,
  askedAgainBefore: mrkdwn`This was asked again already. Look for the newer card in the thread.`,
  nothingRuns: mrkdwn`Nothing is running in this thread.`,
  runOver: mrkdwn`The run of this card is over already. If another run is at work in this thread, mention me with \`stop\` to stop it.`,
  onlyButtons: mrkdwn`I have kept your message for the agent. It decides nothing: a request is waiting on its card, and only the buttons there count.`,
  keptAside: mrkdwn`I have kept your message, but the agent does not read it yet: I crashed twice while I worked on this thread. Mention me with \`stop\` or \`try again\`.`,
  feedbackKept: mrkdwn`Thank you. Your rating of this answer is saved.`,
  feedbackUnknown: mrkdwn`I do not know this answer any more, so nothing was recorded.`,
  feedbackFull: mrkdwn`This answer has as many ratings as I keep, so yours was not saved.`,
  noWebPage: mrkdwn`This has to be decided on the web, and no page is set up for that. Tell the people who run me. Nothing was run.`,
  inputGone: mrkdwn`I do not have this request any more, so I cannot show its input.`,
  inputFailed: mrkdwn`The input could not be fetched just now. Close this and press View full input again.`,
  notOpened: mrkdwn`I could not open this in time, so nothing has changed. Please press again.`,
  broken: mrkdwn`Something went wrong on my side, and it has been noted. Please try again.`,
} as const;

export function notYoursToTry(requester: string | undefined): Mrkdwn {
  const who = requester === undefined ? mrkdwn`An` : mrkdwn`${mention(requester)}, who asked for this, or an`;
  return mrkdwn`${who} admin of this workspace can let me try again. Each person here can end it: mention me with \`stop\`.`;
}

export function notServed(team: string): Mrkdwn {
  return mrkdwn`I do not serve this workspace, so nothing was done. To change that, the people who run me add ${team} to \`workspaces\` in my configuration.`;
}

/** A process of an older version cannot read what a newer one wrote. While both run, the next press may reach the newer one. */
export function notRecorded({ newer }: { readonly newer?: true }): Mrkdwn {
  if (newer !== true) return ANSWERS.failed;
  return mrkdwn`That was not recorded, so nothing has changed: I am just being updated, and a newer version of me works on this. Press again in a moment; pressing again is safe.`;
}

/** The answer to a button, choice or command that an older version offered. */
export function unanswered(what: 'button' | 'choice' | 'command'): Mrkdwn {
  return mrkdwn`This ${what} is from an older version of me and does nothing now. Nothing has changed. Mention me with what you need.`;
}

function soFar({ progress }: Approval): string {
  return progress === undefined ? '' : `: ${progress.given} of ${progress.needed}`;
}

/** Says whose yes no longer counts because its giver may not decide any more, so that people know who is missing. */
function droppedYeses({ progress }: Approval): Mrkdwn {
  const { dropped = [] } = progress ?? {};
  if (dropped.length === 0) return mrkdwn``;
  const who = listed(dropped.map(mention), 'and');
  return mrkdwn` The earlier yes of ${who} no longer counts: people lost the right to decide, so it has to be given again.`;
}

type Decided = Extract<Approval, { readonly decision: unknown }>;

export function decidedByYou(approval: Approval): Mrkdwn {
  const tool = tick(approval.tool);
  switch (approval.status) {
    case 'approved':
      return approval.decision.edit === undefined
        ? mrkdwn`You approved this call of ${tool}. It runs once.`
        : mrkdwn`You approved this call of ${tool} with your changes. What you typed runs once.`;
    case 'trusted':
      return mrkdwn`You approved this call of ${tool}, and trust later ones: ${approval.trust?.line ?? ''}.`;
    case 'denied':
      return mrkdwn`You denied this call of ${tool}. It will not run.`;
    case 'answered':
      return mrkdwn`Your answer goes to the agent as the result of ${tool}. Nothing runs.`;
    case 'pending':
      return mrkdwn`Your yes for this call of ${tool} counts${soFar(approval)}. Nothing runs until the others have said yes as well.${droppedYeses(approval)}`;
    case 'expired':
    case 'cancelled':
      return overBefore(approval);
  }
}

/** `reader`: the person who is told. */
export function alreadyDecided(
  approval: Approval,
  { reader, repeats }: { readonly reader: UserId; readonly repeats?: true | undefined },
): Mrkdwn {
  if (!('decision' in approval)) return overBefore(approval);
  const { by, atMs } = approval.decision;
  const end = repeats === true ? mrkdwn`Pressing again changes nothing.` : mrkdwn`Your press changed nothing.`;
  return mrkdwn`${youOr(by, reader)} already ${verb(approval)} this call of ${tick(approval.tool)}, ${moment(atMs)}. ${end}`;
}

/** The subject of a sentence about what a person did, as that person or another one reads it. */
export function youOr(person: UserId, reader: UserId): Mrkdwn {
  return person === reader ? mrkdwn`You` : mention(person);
}

function verb({ status }: Decided): string {
  switch (status) {
    case 'approved':
      return 'approved';
    case 'trusted':
      return 'approved and trusted';
    case 'denied':
      return 'denied';
    case 'answered':
      return 'answered';
  }
}

/** Expired or cancelled. */
export function overBefore(approval: Approval): Mrkdwn {
  const tool = tick(approval.tool);
  if (approval.status === 'expired') return mrkdwn`Nobody answered in time, so this call of ${tool} was not run.`;
  if (approval.status === 'cancelled' && approval.replacedBy !== undefined) {
    const said = mrkdwn`A newer request took the place of this one, so this call of ${tool} was not run.`;
    return join([said, ...newerCard(approval)], ' ');
  }
  const cause = approval.status === 'cancelled' ? cutMiddle(approval.cause.trim(), SHOWN.noteChars / 2) : '';
  const because = cause === '' ? mrkdwn`` : mrkdwn` ${cause}`;
  return mrkdwn`This request was cancelled, so the call of ${tool} was not run.${because}`;
}

export interface NotYours {
  readonly why: string;
  readonly notNamed?: true;
}

export function notYours(refusal: NotYours, asked: Parameters<typeof listedDeciders>[0]): Mrkdwn {
  return mrkdwn`${whoCan(refusal, asked, 'this')} Nothing changed.`;
}

/** The people who can, or the reason why this person cannot although they are named or could be. */
export function whoCan({ why, notNamed }: NotYours, asked: Parameters<typeof listedDeciders>[0], what: string): Mrkdwn {
  return notNamed === true
    ? mrkdwn`Only ${listedDeciders(asked)} can decide ${what}.`
    : mrkdwn`${cutMiddle(why, SHOWN.noteChars)}`;
}

export function notYourRequest({ requester }: Approval): Mrkdwn {
  return mrkdwn`Only ${mention(requester)}, whose request this was, can ask again. Nothing has changed.`;
}

export function notOffered({ tool }: Approval): Mrkdwn {
  return mrkdwn`This answer is not offered for this call of ${tick(tool)} here. Use the buttons of its card in the thread.`;
}

/** The link is signed by the bot and good only for its reader. */
export function decideThere({ tool }: Approval, link: string): Mrkdwn {
  const there = { mrkdwn: `<${link}|Read it and decide>` };
  return mrkdwn`This call of ${tick(tool)} is decided outside of Slack. ${there}. The link is yours alone and good for ten minutes. Opening it decides nothing.`;
}

export function rulesChanged(why: string): Mrkdwn {
  return mrkdwn`${cutMiddle(why, SHOWN.noteChars)}`;
}

export function notTaken(problem: string): Mrkdwn {
  return mrkdwn`${cutMiddle(problem, SHOWN.noteChars)} Nothing has changed.`;
}

/** The same where the form is gone, so that no field can say it. */
export function formNotTaken(problems: readonly string[]): Mrkdwn {
  const why = cutMiddle(problems.join(' '), SHOWN.noteChars);
  return mrkdwn`I could not use what was typed. ${why} Nothing has changed. Open the form again where you opened it.`;
}

export function trustGiven({ offer, untilMs }: StandingTrust): Mrkdwn {
  return mrkdwn`Trusted: ${offer.line}, until ${moment(untilMs)}.`;
}

export function trustRefused(why: string): Mrkdwn {
  return mrkdwn`Not trusted. ${cutMiddle(why, SHOWN.noteChars)}`;
}

export interface Untrusted {
  readonly tool: string;
  /** Said in a thread: otherwise by a command, which ends trust in other threads as well. */
  readonly inThread: boolean;
  readonly revoked: number;
  readonly failed: number;
  readonly threads: readonly Thread[];
}

export function trustTaken({ tool, inThread, revoked, failed, threads }: Untrusted): Mrkdwn {
  const what = tool === 'all' ? mrkdwn`everything here` : tick(tool);
  if (revoked + failed === 0) {
    const where = inThread ? 'here' : 'in this channel or its threads, or by you elsewhere';
    const nothing =
      tool === 'all' ? mrkdwn`Nothing is trusted ${where}` : mrkdwn`${tick(tool)} is not trusted ${where}`;
    // A first try may have taken the trust away without being acknowledged.
    return mrkdwn`${nothing}. ${inThread ? ELSEWHERE.thread : ELSEWHERE.command}`;
  }
  const left = failed === 0 ? mrkdwn`` : mrkdwn` ${failed} more had ended already.`;
  const links = threads.slice(0, SHOWN.deciders).flatMap(linkToThread);
  const also =
    links.length === 0 ? mrkdwn`` : mrkdwn` That includes ${count(threads.length, 'thread')}: ${join(links, ', ')}.`;
  return mrkdwn`Trust ended for ${what}: the next call asks again.${left}${also}`;
}

/** Where other trust ends. */
const ELSEWHERE = {
  thread: mrkdwn`What you trust elsewhere is on my Home tab, with a button that ends it.`,
  command: mrkdwn`To end what others trust elsewhere, type this in that channel, or mention me in the thread with \`untrust\`.`,
} as const;

export function misread(problem: string, help: Mrkdwn): Mrkdwn {
  return mrkdwn`${cutMiddle(problem, SHOWN.noteChars)}\n${help}`;
}

export function joinSentences(...sentences: readonly Mrkdwn[]): Mrkdwn {
  return join(sentences, ' ');
}

function tick(tool: string): Mrkdwn {
  return mrkdwn`\`${toolName(tool)}\``;
}
