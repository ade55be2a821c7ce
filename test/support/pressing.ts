import { ANN, BOT } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { draws, openCards, openDoubts, type RunningBot, type Stage, says } from './bot.ts';
import { PATIENCE_MS } from './patience.ts';

/** What people do while a test looks on, and for how long. */
export interface Pressing {
  readonly verdict?: 'approve' | 'deny' | 'trust' | 'nobody';
  /** What a person says became of a call whose end no process saw. */
  readonly doubt?: 'skip' | 'retry' | 'nobody';
  /** What they answer a tool server. */
  readonly inquiry?: 'decline' | 'nobody';
  readonly patienceMs?: number;
}

const LOOK_EVERY_MS = 50;

/** Over HTTP, deliveries go to one bot and to no other. */
export function deliverTo(stage: Stage, { port }: RunningBot): void {
  if (port !== undefined) stage.sandbox.deliverTo(`http://127.0.0.1:${port}/slack/events`);
}

export function deliverTwice(stage: Stage, root: SlackMessage): void {
  for (const delivery of stage.world.deliveriesOf(root)) void stage.world.duplicate(delivery);
}

/** What is waited for, in words for a failure, and the bot whose log the failure shows. */
export interface Awaited {
  readonly what: string;
  readonly seen: () => boolean;
  readonly bot: RunningBot;
}

/** Presses what can be pressed, twice at once, until the awaited is seen. A hang rejects with what was said meanwhile. */
export async function keepPressing(
  stage: Stage,
  root: SlackMessage,
  pressing: Pressing,
  { what, seen, bot }: Awaited,
): Promise<void> {
  const untilMs = performance.now() + (pressing.patienceMs ?? PATIENCE_MS);
  while (!seen()) {
    if (performance.now() > untilMs) {
      const said = stage.world.messages(root).map((message) => `${message.user}: ${message.text}`);
      throw new Error([`Not seen: ${what}`, ...said, ...bot.log().split('\n').slice(-25)].join('\n'));
    }
    for (const { card, action } of pressable(stage, root, pressing)) await pressTwice(stage, card, action);
    await tryAgain(stage, root);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

/** The requester lets a run go on with which two processes died in a row. */
async function tryAgain(stage: Stage, root: SlackMessage): Promise<void> {
  const texts = stage.world.messages(root).map(({ text }) => text);
  const asked = texts.filter((text) => text.endsWith('> try again')).length;
  if (texts.filter((text) => text.includes('have set it aside')).length > asked)
    await stage.world.say(ANN, root.channel, `<@${BOT}> try again`, { thread: root });
}

interface Pressable {
  readonly card: SlackMessage;
  readonly action: string;
}

/** The first open question of each kind that these people answer. */
function pressable(
  stage: Stage,
  root: SlackMessage,
  { verdict = 'approve', doubt = 'skip', inquiry = 'decline' }: Pressing,
): readonly Pressable[] {
  const first = (open: readonly SlackMessage[], answer: string, action: string): readonly Pressable[] =>
    answer === 'nobody' ? [] : open.slice(0, 1).map((card) => ({ card, action }));
  return [
    ...first(openCards(stage, root), verdict, `approval_${verdict}`),
    ...first(openInquiries(stage, root), inquiry, 'inquiry_decline'),
    ...first(openDoubts(stage, root), doubt, `doubt_${doubt}`),
  ];
}

/** Its buttons may be gone between the look and the press. */
async function pressTwice(stage: Stage, card: SlackMessage, action: string): Promise<void> {
  await Promise.all([1, 2].map(() => stage.world.press(ANN, card, action).catch(() => {})));
}

const openInquiries = (stage: Stage, root: SlackMessage) =>
  stage.world.messages(root).filter((message) => draws(message, 'inquiry_decline'));

/** The bot has said this, no question is open, and the thread is told that it is everybody else's turn. */
export function isOver(stage: Stage, root: SlackMessage, words: RegExp): boolean {
  const said = stage.world.messages(root).some((message) => message.ts !== root.ts && says(message, words));
  const open = [...openCards(stage, root), ...openDoubts(stage, root), ...openInquiries(stage, root)];
  return said && stage.world.session(root).status === 'active' && open.length === 0;
}

/** A bot that still works changes its thread sooner than in so many looks. */
const LOOKS_AT_REST = 200;

/**
 * Asked at each look: has the thread come to its end, as far as these people let it? No bot works in it, no question is
 * open that they answer, and it has stayed the same for so many looks in a row.
 */
export function createRestWatch(stage: Stage, root: SlackMessage, pressing: Pressing): () => boolean {
  let before = '';
  let looks = 0;
  return () => {
    const { status } = stage.world.session(root);
    const works = status !== 'active' && status !== 'suspended';
    const now = JSON.stringify([status, stage.world.messages(root)]);
    looks = works || now !== before || pressable(stage, root, pressing).length > 0 ? 0 : looks + 1;
    before = now;
    return looks >= LOOKS_AT_REST;
  };
}
