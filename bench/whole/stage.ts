import { setTimeout as pause } from 'node:timers/promises';
import { call } from '../../sandbox/model/answer.ts';
import type { Conversation } from '../../sandbox/model/conversation.ts';
import { ANN, BOT } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { DONE, wish, wished } from '../durable/model.ts';
import { type BotPlace, type BotProcess, startBotProcess } from './process.ts';

/** The whole bot, and a person in its Slack. */
export interface WholeBot extends BotProcess {
  /** An approved turn of so many calls. Resolves with the microseconds from each press to the start of its tool. */
  readonly turn: (calls: number) => Promise<readonly number[]>;
  /** A person asks for a call and nobody answers the card. Resolves when the card stands in its thread. */
  readonly waits: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const NS_PER_MICRO = 1_000;
const PATIENCE_MS = 60_000;
/** After the last reply, the bot still paints and writes for this long at most. */
const SETTLES_MS = 300;
/** As long as sweeps need to come by a few times. */
const IDLE_MS = 3_000;

export async function startWholeBot(place: BotPlace): Promise<WholeBot> {
  const sandbox = await startSandbox({ conversations: [DEPLOYING], patienceMs: PATIENCE_MS });
  const bot = await startBotProcess(sandbox, place);
  return {
    ...bot,
    turn: async (calls) => {
      const root = await says(sandbox, calls);
      const pressed = new Set<string>();
      const micros: number[] = [];
      for (let made = 0; made < calls; made += 1) {
        const card = await openCard(sandbox, root, pressed);
        pressed.add(card.ts);
        const started = bot.nextStartNs();
        const pressedNs = Number(process.hrtime.bigint());
        const press = sandbox.world.press(ANN, card, 'approval_approve');
        micros.push(((await started) - pressedNs) / NS_PER_MICRO);
        await press;
      }
      await sandbox.world.until(() => sandbox.world.messages(root).some(({ text }) => text === DONE));
      return micros;
    },
    waits: async () => {
      const root = await says(sandbox, 1);
      await openCard(sandbox, root, new Set());
    },
    close: async () => {
      await bot.kill();
      await sandbox.close();
    },
  };
}

/** The share of a processor that the bot takes while no person writes or presses. */
export async function idleShare(bot: BotProcess): Promise<number> {
  const before = await bot.processorMs();
  await pause(IDLE_MS);
  return ((await bot.processorMs()) - before) / IDLE_MS;
}

/** The processor time that this and what follows from it costs the bot beyond its idle share, in milliseconds. */
export async function processorMsOf(bot: BotProcess, idle: number, work: () => Promise<unknown>): Promise<number> {
  const [before, beganMs] = [await bot.processorMs(), performance.now()];
  await work();
  await pause(SETTLES_MS);
  return (await bot.processorMs()) - before - idle * (performance.now() - beganMs);
}

/** Each wish has a channel of its own, because Slack takes about one post a second in a channel. */
function says({ world }: Sandbox, calls: number): Promise<SlackMessage> {
  const id = `C0BENCH${`${world.channels.size}`.padStart(6, '0')}`;
  world.channels.set(id, { id, name: id.toLowerCase(), type: 'channel', members: [ANN, BOT], isArchived: false });
  return world.say(ANN, id, `<@${BOT}> ${wish(calls)}`);
}

function openCard({ world }: Sandbox, root: SlackMessage, pressed: ReadonlySet<string>): Promise<SlackMessage> {
  const isOpen = ({ ts, blocks }: SlackMessage): boolean =>
    !pressed.has(ts) && JSON.stringify(blocks).includes('"action_id":"approval_approve"');
  return world.until(() => world.messages(root).find(isOpen), { what: `an open card in ${root.ts}` });
}

/** The model of the sandbox does the same as the instant one. */
const DEPLOYING: Conversation = {
  example: wish(1),
  begins: (said) => wished(said) > 0,
  play: ({ said, results }) =>
    results.length < wished(said) ? { content: [call('deploy', { to: results.length + 1 })] } : DONE,
};
