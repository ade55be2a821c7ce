import { afterEach, describe, expect, it } from 'vitest';
import { ANN, BEN, GUEST, OPS, OUTSIDER, ZOE } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import {
  aWhile,
  cardIn,
  cards,
  draws,
  mention,
  openCards,
  reply,
  type Stage,
  says,
  whisper,
  witnessed,
} from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';

let stage: Stage;
afterEach(() => stage?.close());

const [YES, NO, TRUST] = ['approval_approve', 'approval_deny', 'approval_trust'];
/** One more approver, so that Zoe is not the last. */
const KIM = 'U0KIM00001';
const several = { COUNTERSIGN_CONFIG: 'test/support/steered.config.ts' };
const NOT_ASKED = /did not ask for a yes to `drop_database`/;

/** Ann's run waits for her; Ben writes into it, and his message is given to the model as soon as she answers. */
async function benWrites(text: string, env: Readonly<Record<string, string>> = {}): Promise<SlackMessage> {
  stage = await stageOn('sqlite');
  const zoe = stage.world.people.get(ZOE);
  if (zoe !== undefined) stage.world.people.set(KIM, { ...zoe, id: KIM, name: 'kim' });
  await stage.startBot({ env });
  const root = await mention(stage, ANN, 'restart the payments service');
  const card = await cardIn(stage, root);
  await stage.world.say(BEN, root.channel, text, { thread: root });
  await whisper(stage, BEN, /button/i);
  await stage.world.press(ANN, card, NO);
  return root;
}

describe('an approver who writes a wish into the thread of a colleague', () => {
  it('cannot approve the resulting call, and another approver can (MF-6, EDGE-5, T7)', async () => {
    const root = await benWrites('drop the old database', { EXAMPLE_APPROVERS: `${BEN},${ZOE}` });
    const card = await stage.world.until(() => openCards(stage, root).find((one) => says(one, 'payments_old')));
    expect(says(card, `<@${ZOE}>`)).toBe(true);
    expect(says(card, `Also wrote here: <@${BEN}>`)).toBe(true);

    await stage.world.press(BEN, card, YES);
    await whisper(stage, BEN, /before I asked for this call/);
    await aWhile();
    expect(witnessed(stage, 'begun')).toEqual([]);

    await stage.world.press(ZOE, card, YES);
    await reply(stage, root, 'Done.');
    expect(witnessed(stage)).toHaveLength(1);
  });

  it('has no say either when a colleague asks me about what they wrote (EDGE-5, T7)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot({ env: { EXAMPLE_APPROVERS: `${BEN},${ZOE}` } });
    const written = await askAbout(BEN, 'drop the old database');
    const card = await stage.world.until(() => openCards(stage, written).find((one) => says(one, 'payments_old')));
    expect(says(card, `Also wrote here: <@${BEN}>`)).toBe(true);

    await stage.world.press(BEN, card, YES);
    await whisper(stage, BEN, /before I asked for this call/);
    await aWhile();
    expect(witnessed(stage, 'begun')).toEqual([]);
  });

  it('hears at once that no approver is left, and no card is posted (MF-6)', async () => {
    const root = await benWrites('drop the old database');

    const told = await reply(stage, root, NOT_ASKED);
    expect(says(told, 'that person helped to ask for it')).toBe(true);
    await aWhile();
    expect(openCards(stage, root)).toEqual([]);
    expect(cards(stage, root).some((card) => says(card, 'payments_old'))).toBe(false);
    expect(witnessed(stage, 'begun')).toEqual([]);
  });

  it('does not count towards a quorum (MF-6)', async () => {
    const root = await benWrites('drop the old database', several);
    const card = await stage.world.until(() => openCards(stage, root).find((one) => says(one, 'payments_old')));

    await stage.world.press(BEN, card, YES);
    await whisper(stage, BEN, /before I asked for this call/);
    await stage.world.press(ZOE, card, YES);
    await stage.world.until(() => says(stage.world.message(card) ?? card, '1 of 2'));
    await aWhile();
    expect(witnessed(stage, 'begun')).toEqual([]);
  });

  it('leaves no approver for one of two stages, and the thread says so at once (MF-6)', async () => {
    const root = await benWrites('drop the old database', { ...several, STEERED_BY_STAGES: 'yes' });

    await reply(stage, root, NOT_ASKED);
    expect(cards(stage, root).some((card) => says(card, 'payments_old'))).toBe(false);
  });

  it('can approve a call that was asked about before (MF-6)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const root = await mention(stage, ANN, 'drop the old database');
    const card = await cardIn(stage, root);
    await stage.world.say(BEN, root.channel, 'I look at it now', { thread: root });
    await whisper(stage, BEN, /button/i);

    await stage.world.press(BEN, card, YES);
    await stage.world.until(() => witnessed(stage).length === 1);
  });
});

describe('trust', () => {
  it('in what Ann starts does not cover a call that Ben wrote for (MF-6, T11)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const root = await mention(stage, ANN, 'drop the old database');
    const card = await cardIn(stage, root);
    await stage.world.command(ANN, root.channel, '/trust', 'restart_service me');
    await whisper(stage, ANN, /whenever the same person asks/);
    await stage.world.say(BEN, root.channel, 'restart the payments service', { thread: root });
    await whisper(stage, BEN, /button/i);
    await stage.world.press(BEN, card, NO);

    const asked = await stage.world.until(() => openCards(stage, root).find((one) => says(one, 'payments service')));
    await aWhile();
    expect(witnessed(stage, 'begun')).toEqual([]);
    await stage.world.press(ANN, asked, NO);

    const alone = await mention(stage, ANN, 'restart the payments service');
    await reply(stage, alone, 'Done.');
    expect(witnessed(stage)).toHaveLength(1);
  });

  it('in what Ann starts covers a call that she asks for about her own message, and not about that of a guest (EDGE-5, T11)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    await stage.world.command(ANN, OPS, '/trust', 'restart_service me');
    await whisper(stage, ANN, /whenever the same person asks/);

    await reply(stage, await askAbout(ANN, 'restart the payments service'), 'Done.');
    const written = await askAbout(GUEST, 'restart the mail service');
    await stage.world.until(() => openCards(stage, written).find((one) => says(one, 'mail service')));
    await aWhile();

    expect(witnessed(stage)).toHaveLength(1);
  });

  it('in a thread covers a call that members of its channel steered together (MF-6)', async () => {
    const root = await writtenIntoTrustedThread(BEN);

    await stage.world.until(() => witnessed(stage).length === 2);
    expect(openCards(stage, root)).toEqual([]);
  });

  it.each([
    ['a person of another organisation', OUTSIDER],
    ['a guest', GUEST],
  ])(
    'in a thread does not cover a call that %s wrote for, and is not offered there (MF-6, EDGE-5, T11)',
    async (_who, writer) => {
      const root = await writtenIntoTrustedThread(writer);

      const asked = await stage.world.until(() => openCards(stage, root).find((one) => says(one, 'mail service')));
      expect(witnessed(stage)).toHaveLength(1);
      expect(draws(asked, TRUST)).toBe(false);
      expect(draws(asked, YES)).toBe(true);
    },
  );

  it('in a thread does not cover a call of a writer who has left the channel (MF-6)', async () => {
    const root = await writtenIntoTrustedThread(ZOE, () => {
      const channel = stage.world.channels.get(OPS);
      if (channel === undefined) throw new Error('There is no channel.');
      stage.world.channels.set(OPS, { ...channel, members: channel.members.filter((member) => member !== ZOE) });
    });

    await stage.world.until(() => openCards(stage, root).find((one) => says(one, 'mail service')));
    expect(witnessed(stage)).toHaveLength(1);
  });
});

/** Ann wants the bot to do what another person has written in the channel. */
async function askAbout(author: string, text: string): Promise<SlackMessage> {
  const written = await stage.world.say(author, OPS, `Please ${text}`);
  await stage.world.shortcut(ANN, written, 'ask_about_message');
  const form = await stage.world.until(() =>
    stage.world.views(ANN).find((one) => says({ text: '', blocks: one.content.blocks }, `Please ${text}`)),
  );
  await stage.world.submit(ANN, form, { question: text });
  return written;
}

/** Ann trusts restarts in her thread and asks for something else; while that waits, another person asks for a restart. */
async function writtenIntoTrustedThread(writer: string, meanwhile: () => void = () => {}): Promise<SlackMessage> {
  stage = await stageOn('sqlite');
  await stage.startBot({ env: { COUNTERSIGN_CONFIG: 'test/support/asked-by.config.ts' } });
  const root = await mention(stage, ANN, 'restart the payments service');
  await stage.world.press(ANN, await cardIn(stage, root), TRUST);
  await reply(stage, root, 'Done.');
  await stage.world.say(ANN, root.channel, 'drop the old database', { thread: root });
  const card = await cardIn(stage, root);
  await stage.world.say(writer, root.channel, 'restart the mail service', { thread: root });
  await whisper(stage, writer, /button/i);
  meanwhile();
  await stage.world.press(BEN, card, NO);
  return root;
}
