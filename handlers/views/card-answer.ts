import type { KnownBlock } from '@slack/types';
import { ACTION } from './action-ids.ts';
import { actions, footnote, type Mrkdwn, mention, moment, mrkdwn, plain } from './blocks.ts';
import {
  approvedCall,
  blockId,
  changesText,
  digestLine,
  type Granted,
  inputBlocks,
  REMINDER,
  type Settled,
  toolName,
} from './call.ts';
import { againButton, viewButton } from './card-buttons.ts';
import { SHOWN } from './limits.ts';
import { voidNote } from './looked.ts';
import { trustEndedNote, untrustButton } from './trust-buttons.ts';
import { listed, outcomeText, waited } from './wording.ts';

/** What became of a question: who, when, how it came out, and no button that decides. */
export function answerBlocks(approval: Settled): readonly KnownBlock[] {
  const call = approvedCall(approval);
  const input = inputBlocks(blockId(approval, 'input'), call.input, REMINDER);
  const view = actions(blockId(approval, 'view'), [viewButton(approval)]);
  const print = (texts: readonly Mrkdwn[], words: readonly string[] = []): KnownBlock =>
    footnote(blockId(approval, 'print'), [
      ...texts,
      ...[...words, digestLine(call.digest)].map((word) => plain(word, SHOWN.noteChars)),
    ]);

  switch (approval.status) {
    case 'approved':
    case 'trusted': {
      const line = approval.status === 'trusted' ? [`Trusted: ${approval.trust?.line ?? approval.tool}`] : [];
      return [
        ...input,
        endingTrust(approval) ?? view,
        print(
          [decidedBy(approval, 'Approved')],
          [outcomeText(approval.outcome), ...voidNote(approval), ...line, ...changes(approval)],
        ),
        ...trustEnded(approval),
      ];
    }
    case 'denied': {
      const why = approval.decision.reason?.trim() ?? '';
      return [
        ...input,
        view,
        print([decidedBy(approval, 'Denied')], ['It did not run.', ...(why ? [`“${why}”`] : [])]),
      ];
    }
    case 'answered':
      return [
        ...input,
        view,
        print([decidedBy(approval, 'Answered')], ['It did not run.', `“${approval.decision.answer ?? ''}”`]),
      ];
    case 'expired':
      return [
        ...input,
        ...(approval.askedAgain === undefined
          ? [actions(blockId(approval, 'again'), [againButton(approval)])]
          : [footnote(blockId(approval, 'again'), [mrkdwn`Asked again by ${mention(approval.askedAgain.by)}.`])]),
        print([mrkdwn`Nobody answered by ${moment(approval.expiresAtMs)}. It did not run.`]),
      ];
    case 'cancelled': {
      const who = approval.by === undefined ? mrkdwn`Cancelled.` : mrkdwn`Cancelled by ${mention(approval.by)}.`;
      return [
        ...input,
        print([who, mrkdwn`It did not run.`], approval.cause.trim() === '' ? [] : [approval.cause.trim()]),
      ];
    }
  }
}

function changes(approval: Granted): readonly string[] {
  const { edit } = approval.decision;
  return edit === undefined ? [] : [changesText(approval, edit.input)];
}

function endingTrust(approval: Granted): KnownBlock | undefined {
  const { grant } = approval.decision;
  if (approval.status !== 'trusted' || grant === undefined || approval.trustEnded !== undefined) return undefined;
  const ending = untrustButton(ACTION.untrust, grant, toolName(approval.tool));
  return actions(blockId(approval, 'view'), [ending, viewButton(approval)]);
}

function trustEnded(approval: Granted): readonly KnownBlock[] {
  const { trustEnded: ended } = approval;
  return ended === undefined ? [] : [trustEndedNote(blockId(approval, 'ended'), ended.by, ended.atMs)];
}

function decidedBy(approval: Exclude<Settled, { readonly status: 'expired' | 'cancelled' }>, verb: string): Mrkdwn {
  const { by, atMs, edit } = approval.decision;
  const how = edit === undefined ? verb : `${verb} with changes`;
  // The last of several yeses stands in the decision; the others count as much.
  const others = approval.status === 'denied' ? [] : (approval.progress?.yeses ?? []);
  const who = listed([...others.map((yes) => mention(yes.by)), mention(by)], 'and');
  return mrkdwn`${how} by ${who} · ${moment(atMs)} · ${waited(atMs - approval.askedAtMs)}`;
}
