import { expect, it } from 'vitest';
import { testClock } from '../../../app/clock.ts';
import type { EntryBody } from '../../../app/journal/facts/entries.ts';
import { silentLog } from '../../../app/log.ts';
import { createCopies } from '../../../app/questions/copies.ts';
import { paintAtOnce } from '../../../app/questions/one-painter.ts';
import { remind } from '../../../app/questions/reminders.ts';
import { openRunJournal } from '../../../app/recorder/run-journal.ts';
import type { Copy } from '../../../app/records/index.ts';
import { createRetries } from '../../../app/time/retries.ts';
import { approvalId, asked, runId, started, turn, user } from '../../support/journal.ts';
import { createModelStore } from '../../support/model-store.ts';
import { MEMBERS } from '../../support/people.ts';

const [BEN, ZOE] = [user('U0BEN00001'), user('U0ZOE00001')];
const rule = { approvers: [BEN, ZOE], selfApproval: false, quorum: 2 };
const yes: EntryBody = { type: 'yes-counted', approval: approvalId(), by: BEN };

it('the message to one approver follows the record even when the message to the second failed and the first then approved (P14)', async () => {
  const clock = testClock(1_000);
  const store = createModelStore(clock);
  let ids = 0;
  const journalOf = () => openRunJournal({ store, entryId: () => `id-${++ids}`, elapsed: clock.now }, runId());
  const journal = journalOf();
  const entries = [started, turn(1, 'a'), asked({ rule, noticeAtMs: 1 })];
  await journal.commit(() => ({ entries, items: ['{}'], result: undefined }));
  const conversations = new Map<string, Copy>();
  const painted: string[] = [];
  let refuses = true;
  const surface = {
    remind: async (_approval: unknown, _what: unknown, people: readonly (typeof BEN)[]) => {
      const copies = people.map((to) => ({ to, card: { channel: `D${to.slice(1)}`, ts: '5.0' } }));
      for (const copy of copies.slice(0, refuses ? 1 : 2)) conversations.set(copy.to, copy);
      if (refuses) throw new Error('503');
      return { copies, found: false };
    },
    findCopies: async (_approval: unknown, _what: unknown, people: readonly (typeof BEN)[]) =>
      people.flatMap((one) => conversations.get(one) ?? []),
    paintCopy: async (_approval: unknown, { to }: Copy) => void painted.push(to),
  };
  const deps: Parameters<typeof remind>[0] = {
    store,
    journalOf,
    surface,
    copies: createCopies({ surface, byOne: paintAtOnce, log: silentLog, step: () => {} }),
    people: { ...MEMBERS, isInChannel: async () => false },
    mayDecide: async () => ({ type: 'allowed', stages: [0] }),
    retries: createRetries({ elapsed: clock.now }),
    log: silentLog,
    step: () => {},
  };

  expect(await remind(deps, approvalId(), 'notice')).toBe(5_000);
  refuses = false;
  await journal.commit(() => ({ entries: [yes], result: undefined }));
  await remind(deps, approvalId(), 'notice');

  await journal.refresh();
  const told = journal
    .state()
    ?.approvals.get(approvalId())
    ?.copies.map(({ to }) => to);
  expect(told).toEqual([BEN, ZOE]);
  expect(painted).toContain(BEN);
});
