import { afterEach, expect, it } from 'vitest';
import type { Conversation } from '../../sandbox/model/conversation.ts';
import { ANN, BOT, OPS } from '../../sandbox/people.ts';
import type { ApiRequest, SlackMessage } from '../../sandbox/records.ts';
import {
  aWhile,
  cardIn,
  cards,
  mention,
  openCards,
  reply,
  type Stage,
  says,
  whisper,
  witnessed,
} from '../support/bot.ts';
import { channelsLikeOps } from '../support/channels.ts';
import { stageOn } from '../support/engines.ts';
import { historyOf } from '../support/history.ts';
import { brokenRules } from '../support/invariants.ts';

let stage: Stage;
afterEach(() => stage?.close());

const RETRY_AFTER_S = 2;
/** They take three times as many hundredths of a second to be written. */
const words = (count: number) => Array.from({ length: count * 2 }, (_, at) => `w${at}`).join(' ');
const WELL = 'All is well.';
/** Whichever thread asks the model first. */
const ASKED_MEANWHILE: Conversation = {
  begins: (said) => /how are you|yes, do it/.test(said),
  play: () => WELL,
};

/** What Slack wants less of, and a thread in which it says so. */
interface Story {
  readonly method: string;
  /** Until Slack says so. */
  readonly begins: () => Promise<SlackMessage>;
  /** While it has to wait. */
  readonly goesOn?: (root: SlackMessage) => Promise<unknown>;
  /** From then to the end. */
  readonly ends: (root: SlackMessage) => Promise<unknown>;
  /** As often as it is expected in the thread: answers and cards that the bot has written there. */
  readonly posts: number;
  /** Nobody waits for it: what cannot be read along with is posted whole. */
  readonly givenUp?: true;
}

/** Until the test clears it, however late that is. */
const limit = (method: string) =>
  stage.world.faults.set(method, { type: 'rate-limited', retryAfterSeconds: RETRY_AFTER_S }, Infinity, {
    channel: OPS,
  });
const approve = async (root: SlackMessage) => stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
const restart = () => mention(stage, ANN, 'restart the payments service');
const done = (root: SlackMessage) => reply(stage, root, 'Done.');

const streamed = (method: string, said: string): Story => ({
  method,
  begins: () => {
    limit(method);
    stage.sandbox.model.next(said);
    return mention(stage, ANN, 'tell me a lot');
  },
  ends: (root) => reply(stage, root, said),
  posts: 1,
});

const STORIES: readonly Story[] = [
  {
    method: 'chat.postMessage',
    begins: () => {
      limit('chat.postMessage');
      return restart();
    },
    ends: async (root) => {
      await approve(root);
      await done(root);
    },
    posts: 3,
  },
  {
    method: 'chat.update',
    begins: async () => {
      const root = await restart();
      await cardIn(stage, root);
      limit('chat.update');
      await approve(root);
      return root;
    },
    // The tool waits a while for the card that shows its press.
    ends: async (root) => {
      await done(root);
      await stage.world.until(() => cards(stage, root).some((card) => says(card, 'Ran in')));
    },
    posts: 3,
  },
  {
    method: 'chat.postEphemeral',
    begins: async () => {
      const root = await restart();
      await cardIn(stage, root);
      limit('chat.postEphemeral');
      await stage.world.say(ANN, root.channel, 'yes, do it', { thread: root });
      return root;
    },
    goesOn: async (root) => {
      await approve(root);
      await reply(stage, root, WELL);
    },
    ends: () => whisper(stage, ANN, 'It decides nothing'),
    posts: 3,
  },
  { ...streamed('chat.startStream', words(120)), givenUp: true },
  streamed('chat.appendStream', words(160)),
  streamed('chat.stopStream', words(160)),
];

it.each(STORIES)(
  'a 429 of $method is waited out, other posts go on meanwhile, and in the end everything is posted once (FS5)',
  async (story) => {
    stage = await stageOn('redis', { sandbox: { pieceDelayMs: 30, conversations: [ASKED_MEANWHILE] } });
    const bot = await stage.startBot();
    const [elsewhere = ''] = channelsLikeOps(stage, 1);
    const root = await story.begins();
    const { atMs: firstMs } = await stage.world.until(() => refused(story.method)[0], { what: 'the 429' });

    const other = await mention(stage, ANN, 'how are you?', elsewhere);
    await Promise.all([reply(stage, other, WELL), story.goesOn?.(root)]);
    stage.world.faults.clear(story.method);

    await story.ends(root);
    await stage.world.until(() => stage.world.session(root).status === 'active', { what: 'the end' });
    if (story.givenUp) await aWhile(RETRY_AFTER_S * 1_000);
    const again = sent(story.method).filter(({ atMs }) => atMs > firstMs);
    if (story.givenUp) expect(again).toEqual([]);
    else expect(again.at(-1)?.answer).toMatchObject({ ok: true });

    await bot.kill();
    const history = await historyOf(stage, root, other);
    expect(brokenRules({ history, before: [], cutTurns: 0 })).toEqual([]);
    expect(stage.world.messages(root).filter(({ user }) => user === BOT)).toHaveLength(story.posts);
    expect(stage.world.messages(other).filter(({ user }) => user === BOT)).toHaveLength(1);
    expect(openCards(stage, root)).toEqual([]);
    expect(witnessed(stage, 'begun')).toHaveLength(story.posts === 1 ? 0 : 1);
    const whispers = stage.world.ephemerals(ANN).map(({ text }) => text);
    expect(new Set(whispers).size).toBe(whispers.length);
  },
);

/** Of this method, in the channel of the story. */
const sent = (method: string): readonly ApiRequest[] =>
  stage.world.requests.filter((request) => request.method === method && request.arguments.channel === OPS);

/** Those that Slack did not answer with what it did. */
const refused = (method: string): readonly ApiRequest[] => sent(method).filter(({ answer }) => answer === undefined);
