import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ANN } from '../../sandbox/people.ts';
import type { SlackMessage, View } from '../../sandbox/records.ts';
import { cardIn, doubtIn, draws, mention, reply, type Stage, witnessed } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';

let stage: Stage;
afterEach(() => stage?.close());

const HASTY = { COUNTERSIGN_CONFIG: 'test/support/hasty.config.ts' };
const LIES = /payments service was restarted/;

const form = (user: string): Promise<View> =>
  stage.world.until(() => stage.world.views(user).find(({ content }) => content.submit !== undefined));

/** Ann asks for a restart of payments and opens the form behind this entry of the menu. */
async function askAndOpen(option: string): Promise<{ root: SlackMessage; open: View }> {
  await stage.startBot();
  const root = await mention(stage, ANN, 'restart the payments service');
  await stage.world.press(ANN, await cardIn(stage, root), 'approval_more', { option });
  return { root, open: await form(ANN) };
}

/** The bot is killed in the middle of the restart that Ann approved; the next one asks what became of it. */
async function lost(env: Readonly<Record<string, string>> = {}): Promise<{ root: SlackMessage; card: SlackMessage }> {
  const first = await stage.startBot({ env: { EXAMPLE_TOOL_MS: '60000' } });
  const root = await mention(stage, ANN, 'restart the payments service');
  await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
  await stage.world.until(() => witnessed(stage, 'begun').length === 1);
  await first.kill();
  await stage.startBot({ env });
  return { root, card: await doubtIn(stage, root) };
}

describe('the scripted model', () => {
  it('names the service that a person put in place of its own, and not the original one (MF-12)', async () => {
    stage = await stageOn('sqlite');
    const { root, open } = await askAndOpen('Edit input…');
    await stage.world.submit(ANN, open, { 'field-0': 'search' });

    const last = await reply(
      stage,
      root,
      'Done. The search service was restarted. I had asked to restart the payments service',
    );
    expect(last.text).not.toMatch(LIES);
  });

  it('quotes the answer that a person gave in place of a run, and does not call it done (MF-12)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);
    const approval = /"value":"(\d{2}a[\w-]{22})"/.exec(JSON.stringify(card.blocks))?.[1];
    await stage.world.press(ANN, card, 'approval_more', { option: `answer ${approval}` });
    await stage.world.submit(ANN, await form(ANN), { answer: 'Ben does it at noon.' });

    const last = await reply(
      stage,
      root,
      'The tool did not run; a person answered in its place: “Ben does it at noon.”',
    );
    expect(last.text).not.toMatch(/Done/);
  });

  it('quotes the reason of a denial (MF-12)', async () => {
    stage = await stageOn('sqlite');
    const { root, open } = await askAndOpen('Deny with a reason…');
    await stage.world.submit(ANN, open, { reason: 'Not before "noon".' });

    await reply(
      stage,
      root,
      /Understood, I left the payments service alone\. The reason I was given: “Not before \\?"noon\\?"\.”/,
    );
  });

  it('says that no answer came in time, and mentions no refusal, when a question expires (MF-12)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot({ env: HASTY });
    const root = await mention(stage, ANN, 'restart the payments service');

    const last = await reply(stage, root, 'No answer came in time, so I did not restart the payments service.');
    expect(last.text).not.toMatch(/alone|Done/);
  });

  it('says that its question was withdrawn, and why, when a call is cancelled (MF-12)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    // The tool cannot look at what the approval would rest on, so the question is withdrawn.
    writeFileSync(join(stage.dataDir, 'services.json'), '{}');
    const root = await mention(stage, ANN, 'drop the old database');

    const last = await reply(
      stage,
      root,
      /My question was withdrawn, so I did not drop the old database\. The cause I was given: “/,
    );
    expect(last.text).not.toMatch(/is gone|stays/);
  });

  it('says that the outcome is unknown when no person can report it (MF-12)', async () => {
    stage = await stageOn('sqlite');
    const { root } = await lost(HASTY);

    const last = await reply(
      stage,
      root,
      'it is not known whether it had an effect. It was not repeated: please check first.',
    );
    expect(last.text).not.toMatch(/Done|alone/);
  });

  it('says that it will not repeat a call with an unknown outcome when a person chose so (MF-12)', async () => {
    stage = await stageOn('sqlite');
    const { root, card } = await lost();
    await stage.world.press(ANN, card, 'doubt_skip');

    const last = await reply(stage, root, 'A person chose not to repeat it, so I will not.');
    expect(last.text).not.toMatch(/Done|alone/);
  });

  it('quotes the person who says that an interrupted call happened (MF-12)', async () => {
    stage = await stageOn('sqlite');
    const { root, card } = await lost();
    await stage.world.press(ANN, card, 'doubt_happened');
    await stage.world.submit(ANN, await form(ANN), { said: 'Three pods are up.' });

    const last = await reply(stage, root, 'a person says that it happened, in their words: “Three pods are up.”');
    expect(last.text).not.toMatch(LIES);
  });

  it('says what became of each of several calls (MF-12)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart everything');
    const third = await cardIn(stage, root, 2);
    await stage.world.press(ANN, third, 'approval_more', { option: 'Edit input…' });
    await stage.world.submit(ANN, await form(ANN), { 'field-0': 'billing' });
    await stage.world.press(ANN, await cardIn(stage, root, 1), 'approval_deny');
    await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');

    const last = await reply(stage, root, 'Restarted: payments, billing.');
    expect(last.text).toContain('I left the search service alone.');
    expect(last.text).toContain('The billing service was restarted. I had asked to restart the mail service');
  });

  it.each([
    ['approved', 'approval_approve', 'Done. The payments service was restarted.'],
    ['denied', 'approval_deny', 'Understood, I left the payments service alone.'],
  ])(
    'says what became of a call that was %s although a person wrote while it waited, and then answers (SURF-1)',
    async (_what, button, outcome) => {
      stage = await stageOn('sqlite');
      await stage.startBot();
      const root = await mention(stage, ANN, 'restart the payments service');
      const card = await cardIn(stage, root);
      await stage.world.say(ANN, root.channel, 'hello', { thread: root });
      await stage.world.until(() => stage.world.messages(root).some(({ reactions }) => reactions.length > 0));
      await stage.world.press(ANN, card, button);

      const last = await reply(stage, root, outcome);
      expect(last.text).toContain('Hello! Ask me to restart a service');
    },
  );

  it('gives the answer to a form in words with the titles of the form (MF-12)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const root = await mention(stage, ANN, 'ask me with a form how to restart');
    const card = await stage.world.until(() =>
      stage.world.messages(root).find((message) => draws(message, 'approval_answer')),
    );
    await stage.world.press(ANN, card, 'approval_answer');
    const filled = { 'field-0': 'Tonight', 'field-1': '15', 'field-2': 'Yes', 'field-3': 'Back soon' };
    await stage.world.submit(ANN, await form(ANN), filled);

    const last = await reply(stage, root, 'I heard: When: Tonight. For how long, in minutes: 15. Tell its users: yes.');
    expect(last.text).not.toContain('{');
  });
});
