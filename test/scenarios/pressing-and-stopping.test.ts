import { afterEach, describe, expect, it } from 'vitest';
import { call, text } from '../../sandbox/model/answer.ts';
import type { Conversation } from '../../sandbox/model/conversation.ts';
import { ANN, BEN, BOT } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { parts } from '../handlers/views/fits.ts';
import {
  aWhile,
  cardIn,
  cards,
  draws,
  mention,
  openCards,
  openStage,
  reply,
  type Stage,
  says,
  witnessed,
} from '../support/bot.ts';
import { FASTER, type Patch, type Patched, patchedSources } from '../support/patched.ts';

let stage: Stage;
let sources: Patched | undefined;
afterEach(async () => {
  await stage?.close();
  sources?.remove();
  sources = undefined;
});

/** A call waits for the painting of its press for three seconds at most, and a busy computer may take longer to paint. */
const HOWEVER_LONG_IT_TAKES: Patch = {
  file: 'app/runs/asking/asking.ts',
  find: 'const PAINT_FIRST_MS = 3_000;',
  put: 'const PAINT_FIRST_MS = 60_000;',
};

const SERVICES = ['payments', 'search', 'billing', 'mail'];

/** As many calls in one turn as a turn may have. */
const crowd: Conversation = {
  example: 'restart a crowd',
  begins: (said) => /\bcrowd\b/.test(said),
  play: ({ results }) => {
    if (results.length > 0) return `Heard of ${results.length}.`;
    const calls = Array.from({ length: 60 }, (_, place) =>
      call('restart_service', { service: SERVICES[place % SERVICES.length] ?? '' }),
    );
    return { content: [text('I will restart them all, often.'), ...calls] };
  },
};

/** Every row that can be decided, with the card it stands on. */
const rowsIn = (root: SlackMessage) =>
  openCards(stage, root).flatMap((card) =>
    parts(card.blocks).flatMap(({ action_id, value }) =>
      action_id === 'approval_deny' ? [{ card, value: String(value) }] : [],
    ),
  );

interface Wished {
  readonly value: string;
  readonly verdict: string;
}

/** Ann presses row after row. A press that the bot took decides its row; a press that a busy bot missed she makes again. */
async function pressAll(root: SlackMessage, card: SlackMessage, wished: readonly Wished[]): Promise<void> {
  const isDrawn = ({ value }: Wished) => rowsIn(root).some((row) => row.value === value);
  const taken: Wished[] = [];
  for (const row of wished) {
    if (!isDrawn(row)) continue;
    const { acknowledgement } = await stage.world.press(ANN, card, row.verdict, { value: row.value });
    if (acknowledgement.type === 'acknowledged') taken.push(row);
  }
  await stage.world.until(() => !taken.some(isDrawn), { what: 'each row decided that was pressed' });
  const missed = wished.filter(isDrawn);
  if (missed.length === 0) return;
  await aWhile();
  await pressAll(root, card, missed);
}

describe('a press', () => {
  it('takes the buttons away before the tool begins (P11)', async () => {
    sources = patchedSources([HOWEVER_LONG_IT_TAKES]);
    stage = await openStage({ sources: sources.folder });
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);
    stage.world.faults.set('chat.update', { type: 'slow', delayMs: 700 });

    await stage.world.press(ANN, card, 'approval_approve');
    await stage.world.until(() => {
      if (witnessed(stage, 'begun').length > 0) throw new Error('the tool began first');
      return stage.world.message(card)?.editedTs !== undefined;
    });
    expect(draws(stage.world.message(card) ?? card, 'approval_approve')).toBe(false);
    await reply(stage, root, 'Done.');
    expect(witnessed(stage)).toHaveLength(1);
  });

  it('lets the tool begin before its card is painted where Slack limits the rate (P11)', async () => {
    stage = await openStage();
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);
    // Until the test clears it, however late the tool begins.
    stage.world.faults.set('chat.update', { type: 'rate-limited', retryAfterSeconds: 2 }, Infinity);

    await stage.world.press(ANN, card, 'approval_approve');
    await stage.world.until(() => witnessed(stage, 'begun').length > 0);
    expect(stage.world.message(card)?.editedTs).toBeUndefined();
    stage.world.faults.clear('chat.update');
    await reply(stage, root, 'Done.');
    await stage.world.until(() => openCards(stage, root).length === 0);
  });

  it('at the moment of expiry has one winner, and card, model and tool agree (B4)', async () => {
    stage = await openStage();
    await stage.startBot({ env: { COUNTERSIGN_CONFIG: 'test/scenarios/soon-over.config.ts' } });
    for (const lateMs of [-60, 0, 60]) {
      const before = witnessed(stage).length;
      const root = await mention(stage, ANN, 'restart the payments service');
      const card = await cardIn(stage, root);
      const until = expiryOf(card.blocks);
      await aWhile(Math.max(0, until - Date.now() + lateMs));
      await stage.world.press(ANN, card, 'approval_approve', { forged: true, value: approvalIn(card.blocks) });

      const last = await stage.world.until(() => {
        const now = stage.world.message(card);
        return now !== undefined && says(now, /"(Approved|Expired)"/) && !says(now, /Not started|Started\./)
          ? now
          : undefined;
      });
      const approved = says(last, '"Approved"');
      await reply(stage, root, approved ? 'was restarted' : 'No answer came in time');
      expect(witnessed(stage)).toHaveLength(before + (approved ? 1 : 0));
    }
  });

  it('decides any one of sixty calls of a turn (P24)', async () => {
    sources = patchedSources(FASTER);
    stage = await openStage({ sandbox: { conversations: [crowd] }, sources: sources.folder });
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart a crowd');
    const asked = await stage.world.until(() => (rowsIn(root).length === 60 ? rowsIn(root) : undefined));
    expect(openCards(stage, root)).toHaveLength(6);

    const verdicts = new Map(
      asked.map(({ value }, place) => [value, place % 2 === 0 ? 'approval_approve' : 'approval_deny']),
    );
    for (const card of openCards(stage, root)) {
      const rows = asked.filter((row) => row.card.ts === card.ts);
      await pressAll(
        root,
        card,
        rows.map(({ value }) => ({ value, verdict: verdicts.get(value) ?? 'approval_deny' })),
      );
    }
    await stage.world.until(() => stage.world.messages(root).some((message) => says(message, 'Heard of 60.')));

    expect(witnessed(stage)).toHaveLength(30);
    await stage.world.until(() => openCards(stage, root).length === 0);
  });
});

describe('stopping', () => {
  it.each(['the native Stop', 'the menu of a card'])(
    'by %s ends all cards of that run, and of no other run (B6)',
    async (by) => {
      stage = await openStage();
      await stage.startBot();
      const root = await mention(stage, ANN, 'restart everything');
      const other = await mention(stage, BEN, 'restart the mail service');
      const three = await stage.world.until(() =>
        openCards(stage, root).length === 3 ? openCards(stage, root) : undefined,
      );
      const untouched = await cardIn(stage, other);

      const [card] = three;
      if (by === 'the native Stop') await stage.world.stop(ANN, root);
      else if (card !== undefined) await stage.world.press(ANN, card, 'approval_more', { option: 'Stop this run' });
      await reply(stage, root, 'Stopped.');
      await stage.world.until(() => openCards(stage, root).length === 0);

      expect(cards(stage, root).every((message) => says(message, `Cancelled by <@${ANN}>`))).toBe(true);
      expect(witnessed(stage, 'begun')).toEqual([]);
      await stage.world.press(BEN, untouched, 'approval_approve');
      await reply(stage, other, 'was restarted');
    },
  );

  it('by the native Stop that is delivered again ends no run that began after it (T17)', async () => {
    stage = await openStage();
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    const first = await cardIn(stage, root);
    await stage.world.stop(ANN, root);
    await reply(stage, root, 'Stopped.');
    const [stop] = stage.world.deliveries.filter(({ payload }) =>
      JSON.stringify(payload).includes('agent_session_stopped'),
    );
    await aWhile(1_100);
    await stage.world.say(ANN, root.channel, `<@${BOT}> restart the search service`, { thread: root });
    const second = await stage.world.until(() => openCards(stage, root).find(({ ts }) => ts !== first.ts));

    if (stop !== undefined) await stage.world.redeliver(stop);
    await aWhile();

    await stage.world.press(ANN, second, 'approval_approve');
    await reply(stage, root, 'The search service was restarted.');
  });
});

describe('an old press', () => {
  const stops = {
    'Stop this run': (card: SlackMessage) => stage.world.press(ANN, card, 'approval_more', { option: 'Stop this run' }),
    'Deny and stop': async (card: SlackMessage) => {
      await stage.world.press(ANN, card, 'approval_more', { option: 'Deny with a reason…' });
      const form = await stage.world.until(() =>
        stage.world.views(ANN).find(({ content }) => content.submit !== undefined),
      );
      return stage.world.submit(ANN, form, { next: 'Stop the run' });
    },
  };
  it.each(['Stop this run', 'Deny and stop'] as const)(
    'of %s that comes once more ends no run that began after it, and its person is told so (T6, T17)',
    async (button) => {
      stage = await openStage();
      await stage.startBot({ http: true });
      const root = await mention(stage, ANN, 'restart the payments service');
      const first = await cardIn(stage, root);
      const { delivery } = await stops[button](first);
      await reply(stage, root, 'Stopped.');
      await stage.world.say(ANN, root.channel, `<@${BOT}> restart the search service`, { thread: root });
      const second = await stage.world.until(() => openCards(stage, root).find(({ ts }) => ts !== first.ts));

      const answer = await stage.world.redeliver(delivery);
      // A form is answered in its place, and a choice of the menu below the card.
      await stage.world.until(
        () => JSON.stringify([answer, stage.world.ephemerals(ANN)]).includes('The run of this card is over already'),
        { what: 'Ann is told' },
      );

      await stage.world.press(ANN, second, 'approval_approve');
      await reply(stage, root, 'The search service was restarted.');
    },
  );
});

describe('a message that began a run', () => {
  it('starts nothing more when it is edited or deleted while its card waits (B8)', async () => {
    stage = await openStage();
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);

    const noise = await stage.world.say(BEN, root.channel, 'restart the search service');
    await stage.world.edit(ANN, root, `${root.text} and the search service`);
    await stage.world.remove(noise);
    await aWhile();

    expect(cards(stage, root)).toHaveLength(1);
    await stage.world.press(ANN, card, 'approval_approve');
    await reply(stage, root, 'The payments service was restarted.');
    expect(witnessed(stage)).toHaveLength(1);
  });
});

function expiryOf(blocks: readonly unknown[]): number {
  const [, seconds = '0'] = /until <!date\^(\d+)/.exec(JSON.stringify(blocks)) ?? [];
  return Number(seconds) * 1_000;
}

function approvalIn(blocks: readonly unknown[]): string {
  return /"value":"(\d{2}a[\w-]{22})"/.exec(JSON.stringify(blocks))?.[1] ?? '';
}
