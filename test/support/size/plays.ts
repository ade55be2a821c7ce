import { ANN, BEN, BOT, OPS } from '../../../sandbox/people.ts';
import type { SlackMessage, View } from '../../../sandbox/records.ts';
import type { World } from '../../../sandbox/world.ts';
import { type Size, sizeOf } from './size.ts';

/** What people do for a task of each kind, with the example's tools, from the first message to the agent's last word. */
export interface Play {
  readonly task: string;
  /** The person who decides. */
  readonly by: string;
  readonly words: RegExp;
  /** In a thread where Ann gave trust with the first task. */
  readonly trusted?: true;
  /** What it may take, at most. A change that costs more has to change this table. */
  readonly cards: number;
  readonly presses: number;
  readonly heightPx?: number;
  readonly cardWords?: number;
}

export const RESTART: Play = {
  ...{ task: 'restart the payments service', by: ANN, words: /Done\. The payments/ },
  ...{ cards: 1, presses: 1, heightPx: 260, cardWords: 45 },
};

export const PLAYS: readonly Play[] = [
  { task: 'status', by: ANN, words: /This is what I see/, cards: 0, presses: 0 },
  RESTART,
  { task: 'restart everything', by: ANN, words: /All 3 services/, cards: 3, presses: 3 },
  { task: 'restart the fleet', by: ANN, words: /The fleet: 4 of 4/, cards: 1, presses: 1, heightPx: 480 },
  { task: 'drop the old database', by: BEN, words: /database is gone/, cards: 1, presses: 2, heightPx: 260 },
  { task: 'restart the mail service', by: ANN, words: /Done\. The mail/, trusted: true, cards: 0, presses: 0 },
];

export interface Played {
  readonly root: SlackMessage;
  readonly cards: number;
  readonly presses: number;
  /** The largest card of the play, as people first saw it. */
  readonly largest: Size;
}

const NOTHING: Size = { heightPx: 0, words: 0 };

/** Plays one task in a thread of its own. */
export async function play(world: World, { task, by, words, trusted }: Play): Promise<Played> {
  if (trusted !== true) return decided(world, await world.say(ANN, OPS, `<@${BOT}> ${task}`), { by, words });
  const root = await world.say(ANN, OPS, `<@${BOT}> ${RESTART.task}`);
  const first = await nextOf(world, root, /never said/);
  if (first !== undefined) await world.press(ANN, first, 'approval_trust');
  await world.until(() => saysIn(world, root, RESTART.words));
  const { ts } = await world.say(ANN, root.channel, task, { thread: root });
  const { presses } = await decided(world, root, { by, words });
  const later = cardsIn(world, root).filter((card) => Number(card.ts) > Number(ts));
  return { root, cards: later.length, presses, largest: NOTHING };
}

/** Approves what is asked until the agent has said its last word, and counts the presses. */
async function decided(world: World, root: SlackMessage, { by, words }: Pick<Play, 'by' | 'words'>): Promise<Played> {
  let presses = 0;
  const sizes: Size[] = [];
  for (let next = await nextOf(world, root, words); next !== undefined; next = await nextOf(world, root, words)) {
    const { ts } = next;
    sizes.push(sizeOf(next.blocks));
    await world.press(by, next, draws(next, 'list_approve_all') ? 'list_approve_all' : 'approval_approve');
    presses += 1;
    const isOpen = () => openIn(world, root).some((card) => card.ts === ts);
    const asksTwice = await world.until(() => formOf(world, by) ?? (isOpen() ? undefined : 'closed'), {
      what: `what a press on the card ${ts} leads to`,
    });
    if (asksTwice === 'closed') continue;
    await world.submit(by, asksTwice);
    presses += 1;
    await world.until(() => !isOpen(), { what: `the card ${ts} is decided` });
  }
  return { root, cards: cardsIn(world, root).length, presses, largest: largestOf(sizes) };
}

function largestOf(sizes: readonly Size[]): Size {
  const most = (of: keyof Size) => Math.max(0, ...sizes.map((size) => size[of]));
  return { heightPx: most('heightPx'), words: most('words') };
}

/** The next open card, or nothing once the agent has said these words. */
async function nextOf(world: World, root: SlackMessage, words: RegExp): Promise<SlackMessage | undefined> {
  const next = await world.until(() => openIn(world, root)[0] ?? (saysIn(world, root, words) ? 'over' : undefined), {
    what: `a card, or ${words}`,
  });
  return next === 'over' ? undefined : next;
}

const saysIn = (world: World, root: SlackMessage, words: RegExp): boolean =>
  world.messages(root).some(({ user, text, blocks }) => user === BOT && words.test(`${text}${JSON.stringify(blocks)}`));

const openIn = (world: World, root: SlackMessage) =>
  world.messages(root).filter((message) => draws(message, 'approval_deny'));

const cardsIn = (world: World, root: SlackMessage) =>
  world.messages(root).filter(({ metadata }) => JSON.stringify(metadata ?? {}).includes('card:'));

function draws({ blocks }: SlackMessage, actionId: string): boolean {
  return JSON.stringify(blocks).includes(`"action_id":"${actionId}"`);
}

/** The form that the person has open. */
const formOf = (world: World, user: string): View | undefined =>
  world.views(user).find(({ content }) => content.submit !== undefined);
