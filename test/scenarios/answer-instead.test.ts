import { afterEach, describe, expect, it } from 'vitest';
import { ANN, BEN } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { aWhile, draws, mention, reply, type Stage, says, whisper, witnessed } from '../support/bot.ts';
import { ENGINES, stageOn } from '../support/engines.ts';

let stage: Stage;
afterEach(() => stage?.close());

const approvalOn = ({ blocks }: Pick<SlackMessage, 'blocks'>) =>
  /"value":"(\d{2}a[\w-]{22})"/.exec(JSON.stringify(blocks))?.[1];

async function cardWith(root: SlackMessage, action: string): Promise<SlackMessage> {
  return stage.world.until(() => stage.world.messages(root).find((message) => draws(message, action)), {
    what: `a card with ${action}`,
  });
}

async function formOf(user: string) {
  return stage.world.until(() =>
    stage.world.views(user).find(({ content }) => content.callback_id === 'approval_answer_form'),
  );
}

describe('an answer in place of a tool', () => {
  it('is the result that the agent gets, and the tool does not run', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardWith(root, 'approval_approve');

    await stage.world.press(BEN, card, 'approval_more', { option: `answer ${approvalOn(card)}` });
    await stage.world.until(() =>
      stage.world.views(BEN).some((view) => JSON.stringify(view).includes('can decide this. Nothing changed')),
    );
    await stage.world.press(ANN, card, 'approval_more', { option: `answer ${approvalOn(card)}` });
    await stage.world.submit(ANN, await formOf(ANN), { answer: 'I restarted it "myself" at noon.' });

    await reply(stage, root, 'a person answered in its place');
    await aWhile();
    expect(witnessed(stage, 'begun')).toEqual([]);
    const told = JSON.stringify(stage.sandbox.model.requests.at(-1));
    expect(told).toContain('A person answered in place of the tool, which was not used.');
    expect(told).toContain('myself');
    expect(told).not.toContain('"is_error":true');
    await stage.world.until(() => says(stage.world.message(card) ?? card, /Answered by/));
    expect(draws(stage.world.message(card) ?? card, 'approval_approve')).toBe(false);
  });
});

describe.each(ENGINES)('ask_person (%s)', (engine) => {
  it('asks with choices, waits through a restart, and gets the chosen answer', async () => {
    stage = await stageOn(engine);
    const first = await stage.startBot();
    const root = await mention(stage, ANN, 'ask me when to restart');
    const card = await cardWith(root, 'approval_answer');
    expect(draws(card, 'approval_approve') || draws(card, 'approval_trust')).toBe(false);
    await first.kill();
    await stage.startBot();

    // Nothing can be approved, whoever forges it.
    await stage.world.press(ANN, card, 'approval_approve', { forged: true, value: approvalOn(card) ?? '' });
    await whisper(stage, ANN, /not offered/);
    await stage.world.press(ANN, card, 'approval_answer');
    const view = await formOf(ANN);
    const empty = await stage.world.submit(ANN, view, {});
    expect(empty.result.type).toBe('errors');
    await stage.world.submit(ANN, await formOf(ANN), { choice: '1' });

    await reply(stage, root, /I heard: .*Tonight/);
    await stage.world.until(() => says(stage.world.message(card) ?? card, /Answered by/));
  });

  it('can be answered from Home and from /approvals, and the person who answers there gets a reply in the form (P12)', async () => {
    stage = await stageOn(engine);
    await stage.startBot();
    const root = await mention(stage, ANN, 'ask me when to restart');
    const card = await cardWith(root, 'approval_answer');
    await stage.world.openHome(ANN);
    const home = await stage.world.until(() => {
      const page = stage.world.home(ANN);
      return page !== undefined && draws({ blocks: page.content.blocks }, 'approval_answer_listed') ? page : undefined;
    });
    await stage.world.press(ANN, home, 'approval_answer_listed');
    await formOf(ANN);

    await stage.world.command(ANN, root.channel, '/approvals');
    const list = await stage.world.until(() =>
      stage.world.ephemerals(ANN).find((message) => draws(message, 'approval_answer_listed')),
    );
    await stage.world.press(ANN, list, 'approval_answer_listed');
    const form = await stage.world.until(() => {
      const forms = stage.world.views(ANN).filter(({ content }) => content.callback_id === 'approval_answer_form');
      return forms.length === 2 ? forms.at(-1) : undefined;
    });
    const sent = await stage.world.submit(ANN, form, { choice: '1' });

    expect(JSON.stringify(sent.result)).toContain('Your answer goes to the agent');
    await reply(stage, root, /I heard: .*Tonight/);
    await stage.world.until(() => says(stage.world.message(card) ?? card, /Answered by/));
  });

  it('asks with a form, waits through a restart, and gets JSON that fits the form', async () => {
    stage = await stageOn(engine);
    const first = await stage.startBot();
    const root = await mention(stage, ANN, 'ask me with a form how to restart');
    const card = await cardWith(root, 'approval_answer');
    await first.kill();
    await stage.startBot();

    await stage.world.press(ANN, card, 'approval_answer');
    const filled = { 'field-0': 'Tonight', 'field-1': '90', 'field-2': 'Yes', 'field-3': 'Back "soon"' };
    const wrong = await stage.world.submit(ANN, await formOf(ANN), filled);
    expect(wrong.result).toEqual({ type: 'errors', errors: { 'field-1': 'This has to be at most 60.' } });
    await stage.world.submit(ANN, await formOf(ANN), { ...filled, 'field-1': '15' });

    await reply(stage, root, /I heard: /);
    const told = JSON.stringify(stage.sandbox.model.requests.at(-1));
    const answer = { minutes: 15, note: 'Back "soon"', tellUsers: true, when: 'Tonight' };
    expect(told).toContain(JSON.stringify(JSON.stringify(answer)).slice(1, -1));
    expect(told).not.toContain('Their words, quoted');
    await stage.world.until(() => says(stage.world.message(card) ?? card, /Answered by/));
  });
});
