import { setTimeout as sleep } from 'node:timers/promises';
import { given } from '../../../app/given.ts';
import type { Trick } from '../../page/strip.ts';
import type { DemoStage } from './stage.ts';

const SLOW_MS = 500;
const FOR_MS = 20_000;

export function storeTricks({ store, sandbox, bots, addReplica }: DemoStage): readonly Trick[] {
  const unavailable = given({ unavailable: store.withoutRedis });
  return [
    {
      id: 'replica',
      label: 'Second replica',
      hint: 'Starts a second process of the bot on the same store.',
      meanwhile: 'Starting a second process of the bot…',
      ...unavailable,
      run: async () => {
        if (bots().length > 1) return 'Two processes of the bot run already. Kill one: the other goes on.';
        await addReplica();
        await sandbox.world.until(() => sandbox.sockets.count() > 1, { what: 'the second replica connects' });
        return 'Two processes of the bot run now, and Slack gives each press to either. Kill one: the other goes on.';
      },
    },
    {
      id: 'slow-store',
      label: 'Slow the store',
      hint: `For ${FOR_MS / 1000} s, each answer of the store takes ${SLOW_MS / 1000} s longer.`,
      meanwhile: `For ${FOR_MS / 1000} s, each answer of the store takes half a second longer. What you press comes late, and is right.`,
      ...unavailable,
      run: async () => {
        store.delay?.(SLOW_MS);
        await sleep(FOR_MS, undefined, { ref: false });
        store.delay?.(0);
        return 'The store is fast again. Nothing was lost, and nothing ran twice.';
      },
    },
  ];
}
