import { afterEach, describe, expect, it } from 'vitest';
import { type AnswerPart, call } from '../../sandbox/model/answer.ts';
import { ANN } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import {
  aWhile,
  cardIn,
  cards,
  mention,
  openCards,
  type RunningBot,
  reply,
  type Stage,
  type StageOptions,
  witnessed,
} from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';
import { type History, historyOf } from '../support/history.ts';
import { brokenRules } from '../support/invariants.ts';
import { FASTER, type Patched, patchedSources } from '../support/patched.ts';
import { entriesOf } from '../support/read-history.ts';

let stage: Stage;
let bot: RunningBot;
let sources: Patched | undefined;
afterEach(async () => {
  await stage?.close();
  sources?.remove();
  sources = undefined;
});

async function start(options?: StageOptions): Promise<void> {
  stage = await stageOn('redis', options);
  bot = await stage.startBot();
}

const restart = (service: string, id?: string): AnswerPart => ({
  ...{ type: 'tool_use', name: 'restart_service', input: { service } },
  ...(id === undefined ? {} : { id }),
});
/** What the model was told of its calls the last time that it was asked, in their order. */
const heard = () => (stage.sandbox.model.requests.at(-1)?.results ?? []).map(({ isError, text }) => [isError, text]);
const SAME_ID = [true, 'Two calls of this answer have the same id, so neither ran.'];

/** The thread came to its end, and everything that is always true is true of it. */
async function soundEnd(root: SlackMessage): Promise<History> {
  await stage.world.until(() => stage.world.session(root).status === 'active', { what: 'the end' });
  await bot.kill();
  const history = await historyOf(stage, root);
  expect(brokenRules({ history, before: [], cutTurns: 0 })).toEqual([]);
  expect(openCards(stage, root)).toEqual([]);
  return history;
}

describe('the model', () => {
  it('names a tool as no tool can be named: it hears so, and the thread goes on (FM4)', async () => {
    await start();
    stage.sandbox.model.next({ content: [call('functions.restart', { service: 'payments' })] }, 'I see.');
    const root = await mention(stage, ANN, 'restart the payments service');
    await reply(stage, root, 'I see.');

    expect(heard()).toEqual([[true, 'There is no tool called "functions.restart".']]);
    await soundEnd(root);
  });

  it('asks for a tool that does not exist: it hears so, no person is asked, and the calls beside it go on (FM4)', async () => {
    await start();
    stage.sandbox.model.next({ content: [call('format_disk', { disk: 1 }), restart('payments')] }, 'I see.');
    const root = await mention(stage, ANN, 'restart the payments service');
    await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
    await reply(stage, root, 'I see.');

    expect(heard()).toEqual([
      [true, 'There is no tool called "format_disk".'],
      [false, expect.stringContaining('Restarted payments')],
    ]);
    const { runs } = await soundEnd(root);
    expect(runs.flatMap((run) => entriesOf(run, 'call-asked').map(({ tool }) => tool))).toEqual(['restart_service']);
    expect(witnessed(stage, 'begun')).toHaveLength(1);
  });

  it('gives two calls of one answer the same id: neither runs, both get results, and the run goes on (FM4)', async () => {
    await start();
    const content = [
      restart('payments', 'toolu_same'),
      restart('search', 'toolu_same'),
      restart('mail', 'toolu_other'),
    ];
    stage.sandbox.model.next({ content }, 'I see.');
    const root = await mention(stage, ANN, 'restart the payments service');
    await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
    await reply(stage, root, 'I see.');

    expect(heard()).toEqual([SAME_ID, SAME_ID, [false, expect.stringContaining('Restarted mail')]]);
    await soundEnd(root);
    expect(cards(stage, root)).toHaveLength(1);
    expect(witnessed(stage, 'begun').map(({ input }) => input)).toEqual([{ service: 'mail' }]);
  });

  it('uses an id again in a later answer: that is another call, with its own card and decision (FM4)', async () => {
    await start();
    stage.sandbox.model.next(
      { content: [restart('payments', 'toolu_same')] },
      { content: [restart('search', 'toolu_same')] },
      { content: [restart('payments', 'toolu_same')] },
      'I see.',
    );
    const root = await mention(stage, ANN, 'restart the payments service');
    for (const verdict of ['approve', 'deny', 'approve']) {
      await stage.world.press(ANN, await cardIn(stage, root), `approval_${verdict}`);
      await stage.world.until(() => openCards(stage, root).length === 0);
    }
    await reply(stage, root, 'I see.');

    expect(heard()).toEqual([
      [false, expect.stringContaining('Restarted payments')],
      [true, expect.stringContaining('refused this tool call')],
      [false, expect.stringContaining('Restarted payments')],
    ]);
    // The next run of the thread is asked with all of that before it.
    await stage.world.say(ANN, root.channel, 'hello', { thread: root });
    await reply(stage, root, 'Hello!');
    const { runs } = await soundEnd(root);
    expect(cards(stage, root)).toHaveLength(3);
    expect(witnessed(stage).map(({ input }) => input)).toEqual([{ service: 'payments' }, { service: 'payments' }]);
    expect(new Set(witnessed(stage).map(({ key }) => key)).size).toBe(2);
    expect(runs.flatMap((run) => entriesOf(run, 'call-started').map((entry) => entry.call))).toEqual([
      '1/toolu_same',
      '3/toolu_same',
    ]);
  });

  it('makes a hundred calls at once: sixty are asked about and run, and it hears that the others did not (FM4)', async () => {
    // Slack's own rates would stretch the painting of sixty rows over minutes.
    sources = patchedSources(FASTER);
    await start({ sources: sources.folder });
    const services = ['payments', 'search', 'billing', 'mail'];
    const content = Array.from({ length: 100 }, (_, at) => restart(services[at % 4] ?? '', `toolu_${at}`));
    stage.sandbox.model.next({ content }, 'I see.');
    const root = await mention(stage, ANN, 'restart the payments service');
    await stage.world.until(() => openCards(stage, root).length === 6, { what: 'six cards with ten rows each' });
    await aWhile();
    for (const card of openCards(stage, root)) await stage.world.press(ANN, card, 'list_approve_all');
    await reply(stage, root, 'I see.');

    const results = heard();
    expect(results.slice(0, 60).filter(([isError]) => isError)).toEqual([]);
    const refused = [true, 'Only 60 tool calls fit in one answer, so this one did not run. Ask for fewer.'];
    expect(results.slice(60)).toEqual(Array.from({ length: 40 }, () => refused));
    await soundEnd(root);
    expect(cards(stage, root)).toHaveLength(6);
    expect(new Set(witnessed(stage, 'begun').map(({ key }) => key)).size).toBe(60);
    expect(witnessed(stage, 'begun')).toHaveLength(60);
  });
});
