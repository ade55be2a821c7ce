import { given } from '../../../app/given.ts';
import type { Trick } from '../../page/strip.ts';
import type { SupervisedBot } from '../supervisor.ts';
import type { DemoStage } from './stage.ts';

/** Longer than it ever takes, also on a store that was made slow. */
const BACK_WITHIN_MS = 120_000;

/** SIGKILL: the process has no last word, as in a crash or when a machine loses power. */
export function killing({ bots, witness, sandbox, withoutExample }: DemoStage): readonly Trick[] {
  return [
    {
      id: 'kill',
      label: 'Kill the bot',
      hint: 'A real SIGKILL. The bot comes back by itself and goes on where it was.',
      meanwhile: 'Killed. It comes back by itself…',
      run: async () => {
        const [bot, ...others] = bots();
        if (bot === undefined) return 'There is no bot to kill.';
        const tookMs = await killAll([bot]);
        return others.length > 0
          ? 'Killed one of two. The other went on meanwhile.'
          : `Killed, and back after ${(tookMs / 1000).toFixed(1)} s. Nothing was forgotten: the cards still work.`;
      },
    },
    {
      id: 'kill-in-the-middle',
      ...given({ unavailable: withoutExample }),
      label: 'Kill it in the middle of the tool',
      hint: 'Waits for the next tool, and kills the bot while it runs.',
      meanwhile: 'Armed. Now let the bot run a tool: ask for a restart and approve it.',
      run: async (say) => {
        const { tool } = await witness.next();
        say(`${tool} began, and the bot is killed. It comes back by itself…`);
        await killAll(bots());
        return `Killed while ${tool} ran. It may have finished or not, so the bot does not run it again: it asks you.`;
      },
    },
  ];

  /** Kills them, and waits until they are back. Returns how long that took. */
  async function killAll(killed: readonly SupervisedBot[]): Promise<number> {
    const beganMs = performance.now();
    for (const bot of killed) bot.program().kill();
    await sandbox.world.until(() => killed.every((bot) => bot.isAway()), { what: 'the bot dies' });
    await sandbox.world.until(() => killed.every((bot) => !bot.isAway()), {
      withinMs: BACK_WITHIN_MS,
      what: 'the bot comes back',
    });
    return performance.now() - beganMs;
  }
}
