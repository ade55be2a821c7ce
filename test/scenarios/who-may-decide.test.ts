import { afterEach, describe, expect, it } from 'vitest';
import { ANN, BEN, GRID_PERSON, OUTSIDER, WITHOUT_TEAM, ZOE } from '../../sandbox/people.ts';
import { aWhile, cardIn, mention, openCards, reply, type Stage, whisper, witnessed } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';

let stage: Stage;
afterEach(() => stage?.close());

describe('the right to decide', () => {
  it('belongs to the requester alone when no approver is named, though another member of the thread presses (P31)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);
    await stage.world.say(BEN, root.channel, 'I am here as well', { thread: root });

    for (const action of ['approval_approve', 'approval_trust', 'approval_deny']) {
      await stage.world.press(BEN, card, action);
    }
    await whisper(stage, BEN, /Only .* can decide this/);
    await aWhile();
    expect(witnessed(stage, 'begun')).toEqual([]);
    expect(openCards(stage, root)).toHaveLength(1);

    await stage.world.press(ANN, card, 'approval_approve');
    await stage.world.until(() => witnessed(stage).length === 1);
  });

  it('is not given by ten refused presses: they add no message to the thread, and each is answered privately (P37)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);
    await aWhile();
    const before = stage.world.messages(root).length;

    for (let n = 0; n < 10; n += 1) await stage.world.press(ZOE, card, 'approval_approve');
    await stage.world.until(() => stage.world.ephemerals(ZOE).length >= 10);

    expect(stage.world.messages(root)).toHaveLength(before);
    expect(stage.world.ephemerals(ZOE)).toHaveLength(10);
    expect(witnessed(stage, 'begun')).toEqual([]);
  });

  it('belongs to a named approver for a guarded tool, and not to the requester (P31)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const root = await mention(stage, ANN, 'drop the old database');
    const card = await cardIn(stage, root);

    await stage.world.press(ANN, card, 'approval_approve');
    await whisper(stage, ANN, /Only .* can decide this/);
    await stage.world.press(ZOE, card, 'approval_approve');
    await whisper(stage, ZOE, BEN);
    expect(witnessed(stage, 'begun')).toEqual([]);

    await stage.world.press(BEN, card, 'approval_approve');
    await reply(stage, root, 'Done.');
    expect(witnessed(stage)).toHaveLength(1);
  });

  it('belongs to no person of another workspace', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);

    await stage.world.press(OUTSIDER, card, 'approval_approve');

    await whisper(stage, OUTSIDER, 'another workspace');
    expect(witnessed(stage, 'begun')).toEqual([]);
  });

  it('belongs to no person of whom Slack does not say which team is theirs (P31, DEMO-6)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);

    await stage.world.press(WITHOUT_TEAM, card, 'approval_approve');

    await whisper(stage, WITHOUT_TEAM, /./);
    expect(witnessed(stage, 'begun')).toEqual([]);
    expect(openCards(stage, root)).toHaveLength(1);
  });

  it('belongs to a requester of Enterprise Grid, whose id begins with W (P31, DEMO-6)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const root = await mention(stage, GRID_PERSON, 'restart the payments service');

    await stage.world.press(GRID_PERSON, await cardIn(stage, root), 'approval_approve');

    await reply(stage, root, 'Done.');
    expect(witnessed(stage)).toHaveLength(1);
  });
});

describe('a button', () => {
  it('holds a random id of one approval, and tampering with it decides nothing (P42, T9)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const one = await mention(stage, ANN, 'restart the payments service');
    const two = await mention(stage, ANN, 'drop the old database');
    const [card, other] = [await cardIn(stage, one), await cardIn(stage, two)];
    const id = approvalIn(card);
    const otherId = approvalIn(other);
    expect(id).toMatch(/^\d{2}a[\w-]{22}$/);
    expect(id).not.toBe(otherId);

    const forged = [
      `${id.slice(0, -1)}${id.endsWith('A') ? 'B' : 'A'}`,
      id.toLowerCase(),
      `${id} `,
      '',
      'x'.repeat(2000),
      // Another approval's id on this card, and a run's id in place of an approval's.
      otherId,
      id.replace('a', 'r'),
    ];
    for (const value of forged) await stage.world.press(ANN, card, 'approval_approve', { forged: true, value });
    await aWhile();

    expect(witnessed(stage, 'begun')).toEqual([]);
    expect(openCards(stage, one)).toHaveLength(1);
    expect(openCards(stage, two)).toHaveLength(1);
    await stage.world.press(ANN, card, 'approval_approve');
    await reply(stage, one, 'Done.');
  });

  it('decides its own approval when several are pending in one thread, in any order (P15)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart everything');
    const three = await stage.world.until(() => {
      const cards = openCards(stage, root);
      return cards.length === 3 ? cards : undefined;
    });
    const of = (service: string) => {
      const card = three.find((message) => JSON.stringify(message.blocks).includes(service));
      if (card === undefined) throw new Error(`no card for ${service}`);
      return card;
    };

    await stage.world.press(ANN, of('mail'), 'approval_approve');
    await stage.world.press(ANN, of('payments'), 'approval_deny');
    await stage.world.until(() => openCards(stage, root).length === 1);
    expect(openCards(stage, root)[0]?.ts).toBe(of('search').ts);
    await stage.world.press(ANN, of('search'), 'approval_approve');
    await reply(stage, root, /Restarted/);

    const ran = witnessed(stage).map(({ input }) => input);
    expect(ran).toHaveLength(2);
    expect(ran).toEqual(expect.arrayContaining([{ service: 'mail' }, { service: 'search' }]));
  });
});

function approvalIn({ blocks }: { readonly blocks: readonly unknown[] }): string {
  return /"value":"(\d{2}a[\w-]{22})"/.exec(JSON.stringify(blocks))?.[1] ?? '';
}
