import { expect, it } from 'vitest';
import { UserId } from '../../../app/records/index.ts';
import type { AppendRequest, Store } from '../../../app/store/index.ts';
import { ANN, TEAM } from '../../../sandbox/people.ts';
import { call, inProcess, tool } from '../../support/in-process/index.ts';
import { createModelStore } from '../../support/model-store.ts';

/** A store that remembers what it was asked to keep as safely as the deployment wants. */
function remembering(requests: AppendRequest[]): Store {
  const store = createModelStore({ now: () => Date.now() });
  return {
    ...store,
    append: (request) => {
      requests.push(request);
      return store.append(request);
    },
  };
}

const kindsOf = (requests: readonly AppendRequest[]) =>
  requests.flatMap(({ entries, durable = false }) =>
    entries.map(({ text }) => ({ kind: /"type":"([^"]+)"/.exec(text)?.[1] ?? '?', durable })),
  );

it('asks the store to keep decisions, starts and every entry of a trust durably before it goes on', async () => {
  const requests: AppendRequest[] = [];
  const bot = await inProcess({ tools: [tool('restart')], changes: { store: remembering(requests) } });
  bot.model.says(call('restart', { service: 'a' }), call('restart', { service: 'b' }, 'b'));
  await bot.mention(ANN, 'restart both');
  await bot.press(ANN, bot.card(), 'trust');
  expect(bot.ran()).toHaveLength(2);
  const [trust] = await bot.core.trust.listFor({ team: TEAM, user: UserId.parse(ANN) });
  if (trust === undefined) throw new Error('The press gave no trust.');
  expect(await bot.core.trust.revoke(trust.id, UserId.parse(ANN))).toBe('revoked');

  const kinds = kindsOf(requests);
  const durable = new Set(kinds.flatMap(({ kind, durable: weighs }) => (weighs ? [kind] : [])));
  const light = new Set(kinds.flatMap(({ kind, durable: weighs }) => (weighs ? [] : [kind])));
  expect([...durable].sort()).toEqual(['call-decided', 'call-started', 'grant-given', 'grant-revoked', 'grant-used']);
  expect([...durable].filter((kind) => light.has(kind))).toEqual([]);
  expect(light).toContain('call-asked');
});
