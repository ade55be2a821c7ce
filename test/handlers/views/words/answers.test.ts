import { describe, expect, it } from 'vitest';
import { sentence } from '../../../../handlers/responding/tell.ts';
import type { Mrkdwn } from '../../../../handlers/views/kit/blocks.ts';
import { linkToThread } from '../../../../handlers/views/pages/waiting-view.ts';
import {
  ANSWERS,
  alreadyDecided,
  decidedByYou,
  misread,
  notOffered,
  notYours,
  overBefore,
  trustGiven,
  trustRefused,
  trustTaken,
} from '../../../../handlers/views/words/answers.ts';
import { commandHelp, THREAD_HELP } from '../../../../handlers/views/words/help.ts';
import { expectToFit } from '../fits.ts';
import { ANN, BEN, everyState, GRANT, NEWER_LINK, pending, THREAD } from '../records.ts';

const EVIL = '<!channel> <https://evil|good> *x* `y` \u202E';
const asked = pending({
  tool: EVIL.repeat(20),
  summary: EVIL,
  trust: { line: EVIL, match: 'any', scope: 'thread', forMs: 1 },
});
const trust = {
  id: GRANT,
  team: 'T',
  tool: EVIL,
  definition: 'd',
  offer: { line: EVIL.repeat(40), match: 'any', scope: 'thread', forMs: 1 },
  thread: THREAD,
  requester: ANN,
  by: BEN,
  givenAtMs: 0,
  untilMs: 1,
  uses: 0,
} as const;

const all: readonly Mrkdwn[] = [
  ...Object.values(ANSWERS),
  commandHelp('acme-'),
  THREAD_HELP,
  ...everyState(asked).flatMap((approval) => [
    decidedByYou(approval),
    alreadyDecided(approval, { reader: ANN }),
    alreadyDecided(approval, { reader: BEN }),
    overBefore(approval),
    notOffered(approval),
  ]),
  ...everyState(asked).flatMap((approval) => [
    notYours({ why: EVIL.repeat(50) }, approval),
    notYours({ why: EVIL, notNamed: true }, approval),
  ]),
  trustGiven(trust),
  trustRefused(EVIL.repeat(50)),
  trustTaken({ tool: EVIL, inThread: false, revoked: 1, failed: 2, threads: [THREAD] }),
  misread(EVIL, commandHelp('')),
];

const THREAD_LINK = linkToThread(THREAD)
  .map(({ mrkdwn: link }) => link)
  .join('');

describe('what people are told', () => {
  it('an answer to a person has no mark-up but its own (P27)', () => {
    for (const { mrkdwn: text } of all) {
      const active = [...text.matchAll(/<[^>]*>?|&(?!amp;|lt;|gt;)/g)].map(String);
      expect(
        active.filter(
          (sign) =>
            sign !== NEWER_LINK && sign !== THREAD_LINK && !/^<@U0[A-Z0-9]+>$|^<!date\^\d+\^[^|]+\|[^>]+>$/.test(sign),
        ),
      ).toEqual([]);
      expect((text.match(/`/g)?.length ?? 0) % 2).toBe(0);
      expect(text).not.toContain('*');
    }
  });

  it.each([1, 2])('the answer to an end of trust says how many had ended already: %d more', (failed) => {
    const { mrkdwn: text } = trustTaken({ tool: 'all', inThread: true, revoked: 1, failed, threads: [] });

    expect(text).toBe(`Trust ended for everything here: the next call asks again. ${failed} more had ended already.`);
  });

  it('an answer to a person fits (P20)', () => {
    for (const text of all) expectToFit(sentence(text));
  });

  it('an answer to a person ends every sentence', () => {
    for (const { mrkdwn: text } of Object.values(ANSWERS)) expect(text).toMatch(/\.$/);
  });
});
