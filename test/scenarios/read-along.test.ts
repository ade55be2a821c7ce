import { afterEach, describe, expect, it } from 'vitest';
import { call, text } from '../../sandbox/model/answer.ts';
import { ANN, BOT } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { cardIn, mention, reply, type Stage, says, whisper } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';
import { historyOf } from '../support/history.ts';

let stage: Stage;
afterEach(() => stage?.close());

/** Slow enough for people to read along, and long enough to be more than one piece. */
const SLOW = { pieceDelayMs: 60 };
const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(' ');
/** It takes four seconds, so a bot that stands still for two of them still streams a part of it. */
const LONG = words(120);
const said = (root: SlackMessage) => stage.world.messages(root).filter(({ user }) => user === BOT);
const streaming = (root: SlackMessage) => said(root).find(({ stream }) => stream?.open === true);
const shown = (root: SlackMessage) => streaming(root)?.stream?.markdown ?? '';
const over = (root: SlackMessage) =>
  stage.world.until(() => stage.world.session(root).status === 'active', { what: 'the end' });

describe('a streamed answer', () => {
  it('can be read while it is written, in the message that it becomes', async () => {
    stage = await stageOn('sqlite', { sandbox: SLOW });
    await stage.startBot();
    stage.sandbox.model.next(LONG);

    const root = await mention(stage, ANN, 'tell me a lot');
    await stage.world.until(() => shown(root).startsWith('word0') && !shown(root).includes('word119'));
    const half = streaming(root);
    await over(root);

    expect(said(root).map(({ ts }) => ts)).toEqual([half?.ts]);
    expect(said(root)[0]?.text).toBe(LONG);
    expect(said(root)[0]?.stream?.open).toBe(false);
    expect(stage.world.session(root).title).toBe('tell me a lot');
    expect(said(root)[0]?.metadata).toMatchObject({ event_type: 'countersign_post' });
  });

  it('has buttons for feedback, which is recorded in the journal', async () => {
    stage = await stageOn('sqlite', { sandbox: SLOW });
    const bot = await stage.startBot();
    stage.sandbox.model.next(words(40));
    const root = await mention(stage, ANN, 'tell me a lot');
    await over(root);

    const answer = said(root).at(-1);
    if (answer === undefined) throw new Error('Nothing was answered.');
    const option = /"value":"(bad [^"]+)"/.exec(JSON.stringify(answer.blocks))?.[1] ?? '';
    await stage.world.press(ANN, answer, 'reply_opinion', { option });
    await whisper(stage, ANN, 'is saved');
    await bot.kill();

    const entries = (await historyOf(stage, root)).runs.flatMap((run) => run.entries);
    expect(entries.filter(({ type }) => type === 'feedback-given')).toMatchObject([{ by: ANN, opinion: 'bad' }]);
  });

  it('is posted whole when it comes at once', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();

    const root = await mention(stage, ANN, 'hello');
    await over(root);

    expect(stage.world.requests.filter(({ method }) => method === 'chat.startStream')).toEqual([]);
    expect(said(root)).toHaveLength(1);
  });

  it('stays whole in its message above a card, and a new message begins after the decision', async () => {
    stage = await stageOn('sqlite', { sandbox: SLOW });
    await stage.startBot();
    stage.sandbox.model.next({ content: [text(words(30)), call('restart_service', { service: 'payments' })] });

    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);
    expect(streaming(root)).toBeUndefined();
    expect(said(root).map(({ text: told }) => told === words(30))).toEqual([true, false]);

    stage.sandbox.model.next(LONG);
    await stage.world.press(ANN, card, 'approval_approve');
    await stage.world.until(() => shown(root) !== '');
    await over(root);

    expect(said(root)).toHaveLength(3);
    expect(said(root)[2]?.text).toBe(LONG);
  });

  it('shows the tools that ran for it', async () => {
    stage = await stageOn('sqlite', { sandbox: SLOW });
    await stage.startBot();

    const root = await mention(stage, ANN, 'what is the status?');
    await over(root);

    const last = said(root).at(-1);
    expect(last === undefined ? false : says(last, /service_status/)).toBe(true);
  });

  it.each(['chat.startStream', 'chat.appendStream', 'chat.stopStream'])(
    'is posted once and whole when %s fails',
    async (method) => {
      stage = await stageOn('sqlite', { sandbox: SLOW });
      await stage.startBot();
      stage.world.faults.set(method, { type: 'platform', error: 'internal_error' }, 2);
      stage.sandbox.model.next(LONG);

      const root = await mention(stage, ANN, 'tell me a lot');
      await over(root);

      expect(stage.world.requests.filter((request) => request.method === method)).not.toEqual([]);
      // Without a stream, the same message is edited while it is written.
      const edits = stage.world.requests.filter((request) => request.method === 'chat.update');
      if (method !== 'chat.stopStream') expect(edits.length).toBeGreaterThan(0);
      expect(said(root)).toHaveLength(1);
      expect(says(said(root)[0] ?? { text: '', blocks: [] }, LONG)).toBe(true);
    },
  );

  it('is not lost when its stream has timed out (B19)', async () => {
    stage = await stageOn('sqlite', { sandbox: { ...SLOW, streamLifeMs: 900 } });
    await stage.startBot();
    stage.sandbox.model.next(LONG);

    const root = await mention(stage, ANN, 'tell me a lot');
    await over(root);

    const refused = stage.world.requests.filter(({ answer }) =>
      JSON.stringify(answer ?? {}).includes('not_in_streaming'),
    );
    expect(refused).not.toEqual([]);
    expect(said(root)).toHaveLength(1);
    expect(says(said(root)[0] ?? { text: '', blocks: [] }, LONG)).toBe(true);
  });

  it('that breaks off is begun again, and nothing of the first attempt stays', async () => {
    stage = await stageOn('sqlite', { sandbox: SLOW });
    await stage.startBot();
    stage.sandbox.model.faults.set('messages', { type: 'cut', afterEvents: 16 });
    stage.sandbox.model.next(words(40));

    const root = await mention(stage, ANN, 'hello');
    await stage.world.until(() => stage.sandbox.model.requests.length === 2);
    await over(root);

    expect(said(root)).toHaveLength(1);
    expect(said(root)[0]?.text).not.toContain('word0');
  });

  it('that is stopped half-way leaves nothing behind', async () => {
    stage = await stageOn('sqlite', { sandbox: SLOW });
    await stage.startBot();
    stage.sandbox.model.next(words(200));

    const root = await mention(stage, ANN, 'tell me a lot');
    await stage.world.until(() => shown(root) !== '');
    await stage.world.stop(ANN, root);
    await reply(stage, root, 'Stopped.');
    await over(root);

    expect(said(root)).toHaveLength(1);
  });
});
