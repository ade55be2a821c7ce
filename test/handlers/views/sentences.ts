import { WORDS } from '../../../app/runs/telling/words.ts';
import { fallback, type Mrkdwn, mrkdwn, section } from '../../../handlers/views/kit/blocks.ts';
import {
  ANSWERS,
  alreadyDecided,
  decidedByYou,
  decideThere,
  misread,
  notOffered,
  notRecorded,
  notServed,
  notTaken,
  notYourRequest,
  notYours,
  notYoursToTry,
  rulesChanged,
  trustGiven,
  trustRefused,
  trustTaken,
  unanswered,
} from '../../../handlers/views/words/answers.ts';
import { commandHelp, THREAD_HELP } from '../../../handlers/views/words/help.ts';
import { replyMessages } from '../../support/drawn-at-once.ts';
import { trust } from './homes.ts';
import type { Picture } from './pictures.ts';
import { ANN, everyState, guarded, pending, THREAD, ZOE } from './records.ts';

const UNTRUSTED = { tool: 'restart_service', inThread: false, revoked: 0, failed: 0, threads: [] };

/** The sentences that the bot says in no view of their own, each in a block of one message. */
export function sentences(): readonly Picture[] {
  return [
    said('answers', ANSWERS, Object.values(ANSWERS)),
    said(
      'answers-to-a-press',
      decidedByYou,
      everyState().flatMap((one) => [
        decidedByYou(one),
        ...('decision' in one
          ? [
              alreadyDecided(one, { reader: ZOE }),
              alreadyDecided(one, { reader: one.decision.by }),
              alreadyDecided(one, { reader: one.decision.by, repeats: true }),
            ]
          : []),
      ]),
    ),
    said('answers-about-trust', trustTaken, [
      trustGiven(trust()),
      trustTaken({ ...UNTRUSTED, revoked: 1, failed: 1, threads: [THREAD] }),
      trustTaken({ ...UNTRUSTED, inThread: true }),
      trustTaken(UNTRUSTED),
    ]),
    said('answers-help', THREAD_HELP, [commandHelp(''), THREAD_HELP]),
    said('answers-that-refuse', notYours, [
      notYours({ why: '', notNamed: true }, guarded()),
      notYours({ why: 'Guests decide nothing here.' }, guarded()),
      notYourRequest(pending()),
      notOffered(pending()),
      rulesChanged('The rules for this call have changed since I asked.'),
      notTaken('The form wants a whole number.'),
      trustRefused('There is no such tool.'),
      misread('I do not understand “for” here.', THREAD_HELP),
      notYoursToTry(ANN),
      notYoursToTry(undefined),
      notServed('T0OTHER001'),
      notRecorded({ newer: true }),
      ...(['button', 'choice', 'command'] as const).map(unanswered),
      decideThere(pending(), 'https://bot.example.com/decide'),
    ]),
    { name: 'answers-in-the-thread', by: WORDS, drawn: IN_THREAD.flatMap((words) => replyMessages(words, {})) },
  ];
}

const WHY = 'two people are named, and one of them asked';
const IN_THREAD: readonly string[] = [
  ...Object.entries(WORDS).flatMap(([name, words]) =>
    typeof words === 'string' && name !== 'tooManyFiles' ? words : [],
  ),
  WORDS.modelFailed('it answered with status 529.'),
  WORDS.limitTurns(40),
  WORDS.noApprover('drop_database', WHY),
  WORDS.changedTool('notes__add', 'notes'),
  WORDS.noApproverYet('drop_database', 'the rota did not answer'),
  WORDS.steered('drop_database', WHY),
  WORDS.unknownOutcome('restart_service'),
  WORDS.unknownOutcome('restart_service', 30_000),
  WORDS.cardNotPosted('restart_service'),
  WORDS.unread([`report.pdf ${WORDS.tooManyFiles}`]),
];

function said(name: string, by: unknown, all: readonly Mrkdwn[]): Picture {
  const each = [...new Set(all.map((words) => words.mrkdwn))];
  const blocks = each.map((words, at) => section(`${name}:${at}`, { mrkdwn: words }));
  return { name, by, drawn: { text: fallback(mrkdwn`${name}`), blocks } };
}
