import { createSecretKey } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../../app/clock.ts';
import { silentLog } from '../../../../app/log.ts';
import { createPinsJournal } from '../../../../app/recorder/index.ts';
import { createSecretBox } from '../../../../app/secrets/index.ts';
import { openStore, type Store, workspaceOf } from '../../../../app/store/index.ts';
import { movePinsFile } from '../../../../app/tools/mcp/index.ts';
import { SERVER_LIMITS } from '../../../../app/tools/mcp/limits.ts';
import { createModelStore } from '../../../support/model-store.ts';
import { emptyRedis } from '../../../support/redis.ts';
import { appendOf } from '../../../support/store.ts';
import { allow, atEnd, change, connect, endAll, httpServer, pinsIn, type Started, tempFolder } from './setup.ts';

afterEach(endAll);

const first = { name: 'echo', description: 'Says it again.' };
const second = { name: 'echo', description: 'Says it again, and writes it down.' };

/** Opens the store of one engine as two replicas see it; the embedded ones are for one process. */
const ENGINES = {
  memory: async () => {
    const store = createModelStore(systemClock);
    return [store, store] as const;
  },
  sqlite: async () => {
    const store = await opened({ dataDir: tempFolder() });
    return [store, store] as const;
  },
  redis: async () => {
    const redisUrl = await emptyRedis();
    return [await opened({ redisUrl }), await opened({ redisUrl })] as const;
  },
} as const;

async function opened(where: { readonly dataDir?: string; readonly redisUrl?: string }): Promise<Store> {
  const box = createSecretBox([createSecretKey(Buffer.alloc(32, 1))]);
  const store = await openStore({ dataDir: '', clock: systemClock, log: silentLog, box, ...where });
  atEnd(() => store.close());
  return store;
}

/** A replica with nothing on its disk: only the store knows what was seen before. */
async function replica(store: Store, tools: readonly object[]): Promise<Started> {
  const server = await httpServer(tools as Parameters<typeof httpServer>[0]);
  return connect({ url: server.url }, server.change, {}, store);
}

describe.each(Object.entries(ENGINES))('pins in a store (%s)', (_engine, openBoth) => {
  it('a new replica guards a tool that has changed since another replica pinned it (EDGE-8, T12)', async () => {
    const [one, other] = await openBoth();
    expect((await replica(one, [first])).tool('echo').effect).toBe('asked');

    const later = await replica(other, [second]);

    expect(later.tool('echo')).toMatchObject({ effect: 'guarded', description: first.description });
  });

  it('a tool that an operator allows once is allowed on every replica (EDGE-8)', async () => {
    const [one, other] = await openBoth();
    const replicas = [await replica(one, [first]), await replica(other, [first])];
    for (const each of replicas) await change(each, [second]);
    expect(replicas.map(({ tool }) => tool('echo').effect)).toEqual(['guarded', 'guarded']);

    await pinsIn(one).allow('test__echo');
    for (const { time } of replicas) time.advance(SERVER_LIMITS.compareEveryMs);

    await vi.waitFor(() => {
      for (const { tool } of replicas)
        expect(tool('echo')).toMatchObject({ effect: 'asked', description: second.description });
    });
  });

  it('a call that was asked for before another replica saw a change is not sent (EDGE-8, T12)', async () => {
    const [one, other] = await openBoth();
    const [slow, quick] = [await replica(one, [first]), await replica(other, [first])];
    const asked = slow.tool('echo');
    await change(quick, [second]);
    await allow(quick);

    expect(await slow.runTool(asked)).toMatchObject({
      type: 'failed',
      output: expect.stringContaining('Nothing was sent'),
    });
    expect(slow.tool('echo').effect).toBe('guarded');
  });

  it('of two replicas that pin a tool at once, the second takes it for a changed one (EDGE-8)', async () => {
    const [one, other] = await openBoth();
    for (let round = 0; round < 20; round += 1) {
      const seen = { server: 's', tool: `t${round}`, name: `s__t${round}`, definition: {} };

      const looks = await Promise.all([
        pinsIn(one).see([{ ...seen, hash: 'one' }]),
        pinsIn(other).see([{ ...seen, hash: 'other' }]),
      ]);

      expect(looks.flatMap((each) => each.map(({ standing }) => standing)).sort()).toEqual(['as-pinned', 'changed']);
    }
  });

  it('all tools of a large server are pinned, each once (EDGE-8)', async () => {
    const [one, other] = await openBoth();
    const seen = Array.from({ length: 120 }, (_, at) => ({
      ...{ server: 's', tool: `t${at}`, name: `s__t${at}` },
      ...{ hash: 'one', definition: { at } },
    }));

    await Promise.all([pinsIn(one).see(seen), pinsIn(other).see(seen)]);

    expect(await pinsIn(one).all()).toHaveLength(120);
    expect((await one.read(workspaceOf('', one.shards))).version).toBe(120);
  });

  it('an operator allows what was shown, and no later definition (EDGE-8)', async () => {
    const [one, other] = await openBoth();
    const seen = { server: 's', tool: 't', name: 's__t', definition: {} };
    await pinsIn(one).see([{ ...seen, hash: 'one' }]);
    await pinsIn(other).see([{ ...seen, hash: 'two' }]);

    expect(await pinsIn(one).allow('s__t', 'on')).toBeUndefined();
    expect(await pinsIn(one).allow('s__other')).toBeUndefined();
    expect(await pinsIn(other).see([{ ...seen, hash: 'two' }])).toMatchObject([{ standing: 'changed' }]);
    expect(await pinsIn(one).allow('s__t', 'tw')).toMatchObject({ allowed: { hash: 'two' } });
    expect(await pinsIn(other).see([{ ...seen, hash: 'two' }])).toMatchObject([{ standing: 'as-pinned' }]);
  });

  it('a damaged entry removes all tools of servers while the bot runs (EDGE-8)', async () => {
    const [store] = await openBoth();
    const bot = await replica(store, [first]);
    const journal = workspaceOf('', store.shards);
    await store.append(appendOf(journal, (await store.read(journal)).version, { text: '{"damage":true}' }));

    bot.time.advance(SERVER_LIMITS.compareEveryMs);

    await vi.waitFor(() => expect(bot.servers.tools()).toEqual([]));
  });
});

it('pins that were set back with their store are read anew (EDGE-8)', async () => {
  const clock = systemClock;
  let store: Store = createModelStore(clock);
  const moving: Pick<Store, 'read' | 'append' | 'shards'> = {
    shards: 1,
    read: (...args) => store.read(...args),
    append: (request) => store.append(request),
  };
  const pins = pinsIn(moving);
  const seen = { server: 's', tool: 't', name: 's__t', definition: {} };
  await pins.see([{ ...seen, hash: 'one' }]);
  store = createModelStore(clock);
  await pinsIn(store).see([{ ...seen, hash: 'two' }]);

  expect(await pins.see([{ ...seen, hash: 'one' }])).toMatchObject([{ standing: 'changed' }]);
});

describe('the file of pins of an older version', () => {
  const at = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`;
  const line = (type: string, minute: number, hash: string, tool = 't') =>
    JSON.stringify({ type, at: at(minute), server: 's', tool, name: `s__${tool}`, hash, definition: { hash } });
  const look = async (store: Store, hash: string, tool = 't') =>
    (await pinsIn(store).see([{ server: 's', tool, name: `s__${tool}`, hash, definition: { hash } }]))[0]?.standing;

  function fileOf(...lines: readonly string[]) {
    const file = join(tempFolder(), 'mcp-pins.jsonl');
    writeFileSync(file, lines.map((each) => `${each}\n`).join(''));
    return file;
  }
  const move = (file: string, store: Store) =>
    movePinsFile(file, createPinsJournal({ store, entryId: () => crypto.randomUUID() }), silentLog);
  const lengthOf = async (store: Store) => (await store.read(workspaceOf('', store.shards))).version;

  it.each(Object.entries(ENGINES))(
    'a file of pins is moved into the store once, with all that it says (%s) (EDGE-8)',
    async (_engine, openBoth) => {
      const [store, other] = await openBoth();
      const lines = [
        line('pinned', 1, 'a'),
        line('seen', 2, 'b'),
        line('pinned', 3, 'a', 'u'),
        line('seen', 4, 'b', 'u'),
      ];
      const file = fileOf(...lines, line('allowed', 5, 'b', 'u'));
      const text = readFileSync(file, 'utf8');

      await move(file, store);
      await move(file, store);

      expect([existsSync(file), readFileSync(`${file}.moved`, 'utf8')]).toEqual([false, text]);
      expect(await lengthOf(other)).toBe(5);
      expect([await look(other, 'b'), await look(other, 'a')]).toEqual(['changed', 'as-pinned']);
      expect([await look(other, 'b', 'u'), await look(other, 'a', 'u')]).toEqual(['as-pinned', 'changed']);
      expect((await pinsIn(other).all()).map(({ allowed }) => allowed.at)).toEqual([at(1), at(5)]);
    },
  );

  it('a file of pins is not moved twice by a process that died before it renamed the file (EDGE-8)', async () => {
    const store = createModelStore(systemClock);
    const file = fileOf(line('pinned', 1, 'a'), line('seen', 2, 'b'));
    await move(file, store);
    writeFileSync(file, readFileSync(`${file}.moved`));

    await move(file, store);

    expect(await lengthOf(store)).toBe(2);
    expect(existsSync(file)).toBe(false);
  });

  it('a file of pins shows a change that a replica without it pinned before it was moved (EDGE-8, T12)', async () => {
    const store = createModelStore(systemClock);
    expect(await look(store, 'b')).toBe('as-pinned');

    await move(fileOf(line('pinned', 1, 'a')), store);

    expect(await look(store, 'b')).toBe('changed');
    await pinsIn(store).allow('s__t');
    expect(await look(store, 'b')).toBe('as-pinned');
  });

  it.each([
    ['the older', ['older', 'newer']],
    ['the newer', ['newer', 'older']],
  ] as const)(
    'files of pins of two replicas are both moved, and the older pin counts when %s comes first (EDGE-8)',
    async (_which, order) => {
      const store = createModelStore(systemClock);
      const files = { older: fileOf(line('pinned', 1, 'a')), newer: fileOf(line('pinned', 2, 'b')) };

      for (const which of order) await move(files[which], store);

      expect(await look(store, 'b')).toBe('changed');
      expect(await look(store, 'a')).toBe('as-pinned');
    },
  );

  it('a damaged file of pins stops the start with its line: without its pin, a changed tool would seem new (EDGE-8)', async () => {
    const store = createModelStore(systemClock);
    const file = fileOf(line('pinned', 1, 'a'), '{"type":"pin');

    await expect(move(file, store)).rejects.toThrow(`${file}:2: is not a pin.`);
    expect([await lengthOf(store), existsSync(file)]).toEqual([0, true]);
  });
});
