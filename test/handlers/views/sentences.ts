import { WORDS } from '../../../app/runs/telling/words.ts';
import { fallback, type Mrkdwn, mrkdwn, section } from '../../../handlers/views/kit/blocks.ts';
import {
  ANSWERS,
  alreadyDecided,
  commandHelp,
  decidedByYou,
  THREAD_HELP,
  trustGiven,
  trustTaken,
} from '../../../handlers/views/words/answers.ts';
import { trust } from './homes.ts';
import type { Picture } from './pictures.ts';
import { everyState, THREAD } from './records.ts';

const UNTRUSTED = { tool: 'restart_service', inThread: false, revoked: 0, failed: 0, threads: [] };

/** The sentences that the bot says in no view of their own, each in a block of one message. */
export function sentences(): readonly Picture[] {
  return [
    said('answers', ANSWERS, Object.values(ANSWERS)),
    said(
      'answers-to-a-press',
      decidedByYou,
      everyState().flatMap((one) => [decidedByYou(one), ...('decision' in one ? [alreadyDecided(one)] : [])]),
    ),
    said('answers-about-trust', trustTaken, [
      trustGiven(trust()),
      trustTaken({ ...UNTRUSTED, revoked: 1, failed: 1, threads: [THREAD] }),
      trustTaken({ ...UNTRUSTED, inThread: true }),
      trustTaken(UNTRUSTED),
    ]),
    said('answers-help', THREAD_HELP, [commandHelp(''), THREAD_HELP]),
    said(
      'answers-in-the-thread',
      WORDS,
      Object.values(WORDS).flatMap((words) => (typeof words === 'string' ? mrkdwn`${words}` : [])),
    ),
  ];
}

function said(name: string, by: unknown, all: readonly Mrkdwn[]): Picture {
  const each = [...new Set(all.map((words) => words.mrkdwn))];
  const blocks = each.map((words, at) => section(`${name}:${at}`, { mrkdwn: words }));
  return { name, by, drawn: { text: fallback(mrkdwn`${name}`), blocks } };
}
