import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../../app/log.ts';
import { type ApprovalId, type RunId, type ThreadKey, UserId } from '../../../app/records/index.ts';
import { readRedisUrl } from '../../../app/store/redis/address.ts';
import { createRedisStore, type RedisStore } from '../../../app/store/redis/store.ts';
import type { Store } from '../../../app/store/store.ts';
import { startProxy, type TestProxy } from '../../support/proxy.ts';
import { type RedisServer, startRedisServer } from '../../support/redis.ts';
import { appendOf, newApproval, newRun, newThread } from '../../support/store.ts';

const HOUR_MS = 3_600_000;
const HOME = { person: { team: 'T1', user: UserId.parse('U1') }, by: 'me', forMs: HOUR_MS };

interface Scene {
  readonly thread: ThreadKey;
  readonly run: RunId;
  readonly approval: ApprovalId;
}

interface Case {
  /** Text that is in the request and in no other of the case. */
  readonly mark: (scene: Scene) => string;
  readonly act: (store: Store, scene: Scene) => Promise<unknown>;
  readonly answers: (scene: Scene) => unknown;
  /** What the caller is told when it was carried out and the reply was lost, if that differs. */
  readonly answersAgain?: (scene: Scene) => unknown;
}

/** Every command an engine sends, and what it answers in the scene below. */
const CASES: Readonly<Record<string, Case>> = {
  append: {
    mark: () => 'entry-of-the-test',
    act: (store, { run, thread }) =>
      store.append(
        appendOf(run, 1, {
          id: 'entry-of-the-test',
          items: ['second'],
          effects: [{ type: 'drop-inbox', thread, keys: ['a'] }],
        }),
      ),
    answers: () => ({ type: 'ok', version: 2, receivers: 0 }),
    answersAgain: () => ({ type: 'already', version: 2 }),
  },
  read: {
    mark: ({ run }) => `${run}:j`,
    act: async (store, { run }) => (await store.read(run)).entries,
    answers: () => [{ id: 'first', text: '{}' }],
  },
  abandon: {
    mark: ({ run }) => run,
    act: (store, { run, thread }) => store.abandon(thread, run),
    answers: () => true,
  },
  readItems: {
    mark: ({ run }) => `${run}:m`,
    act: (store, { run }) => store.readItems(run),
    answers: () => ['first'],
  },
  take: {
    mark: () => 'seen:new',
    act: (store, { thread }) => store.take({ key: 'new', thread, item: '"new"' }),
    answers: () => 'added',
  },
  thread: {
    mark: ({ thread }) => thread,
    act: async (store, { thread }) => (await store.thread(thread)).inbox,
    answers: () => [{ key: 'a', item: '"a"' }],
  },
  findApproval: {
    mark: ({ approval }) => approval,
    act: (store, { approval }) => store.findApproval(approval),
    answers: ({ run }) => run,
  },
  members: {
    mark: () => 'i:waiting',
    act: (store) => store.members({ what: 'waiting', of: 'T1:U1' }),
    answers: ({ approval }) => [approval],
  },
  takePlace: {
    mark: () => 'i:places',
    act: (store) => store.takePlace({ index: { what: 'places', of: 'T1:x' }, member: 'me', most: 1 }),
    // The place that was taken without a word is still theirs.
    answers: () => true,
  },
  claimTodo: {
    mark: () => 'todo',
    act: (store) => store.claimTodo({ limit: 9, leaseMs: HOUR_MS }),
    answers: ({ thread }) => [thread],
    // The lease of the lost claim has to run out. That costs time, and no two callers hold it.
    answersAgain: () => [],
  },
  claimDue: {
    mark: () => 'due',
    act: (store) => store.claimDue({ limit: 9, leaseMs: HOUR_MS }),
    answers: ({ approval }) => [{ what: 'expiry', subject: approval }],
    answersAgain: () => [],
  },
  claimPainting: {
    mark: () => 'paint',
    act: (store, { approval }) =>
      store.claimPainting({ of: approval, what: 'card', state: '1', by: 'me', leaseMs: HOUR_MS }),
    // The claim that was granted without a word is still theirs.
    answers: () => undefined,
  },
  releasePainting: {
    mark: () => 'paint',
    act: (store, { approval }) => store.releasePainting({ of: approval, what: 'card' }),
    answers: () => undefined,
  },
  claimHome: {
    mark: () => 'home',
    act: (store) => store.claimHome({ ...HOME, by: 'next' }),
    answers: () => ({ shows: 'what it shows', forMs: expect.any(Number) }),
    // What it shows is no longer known, so it is published once more.
    answersAgain: () => 'unknown',
  },
  keepHome: {
    mark: () => 'home',
    act: (store) => store.keepHome(HOME, 'what it shows now'),
    answers: () => true,
  },
  renewTodo: {
    mark: () => 'todo',
    act: (store, { thread }) => store.renewTodo(thread, HOUR_MS),
    answers: () => undefined,
  },
  restTodo: {
    mark: () => 'todo',
    act: (store, { thread, run }) => store.restTodo({ thread, run, version: 1, inboxLength: 1 }),
    answers: () => true,
  },
  health: {
    mark: () => 'info',
    act: (store) => store.health(),
    answers: () => ({ warnings: [] }),
  },
};

describe('a connection that is cut', () => {
  let server: RedisServer;
  let proxy: TestProxy;
  let store: RedisStore;
  let direct: RedisStore;

  beforeAll(async () => {
    server = await startRedisServer();
  });
  afterAll(() => server.remove());
  beforeEach(async () => {
    const client = server.client();
    await client.flushall();
    client.disconnect();
    proxy = await startProxy(server.port);
    direct = await createRedisStore({ place: readRedisUrl(server.url), log: silentLog });
    store = await createRedisStore({ place: readRedisUrl(`redis://127.0.0.1:${proxy.port}`), log: silentLog });
  });
  afterEach(async () => {
    await Promise.all([store.close(), direct.close()]);
    await proxy.close();
  });

  /** One run with an entry, an item and a message that waits; it is due, in `todo`, and in an index list. */
  const prepare = async (): Promise<Scene> => {
    const thread = newThread();
    const run = newRun(direct, thread);
    const approval = newApproval(direct, thread);
    await direct.take({ key: 'a', thread, item: '"a"' });
    await direct.append(
      appendOf(run, 0, {
        id: 'first',
        items: ['first'],
        effects: [
          { type: 'approval', approval, run },
          { type: 'current-run', thread, run },
          { type: 'member', index: { what: 'waiting', of: 'T1:U1' }, member: approval },
          { type: 'due', item: { what: 'expiry', subject: approval }, atMs: 1 },
        ],
      }),
    );
    await direct.claimHome(HOME);
    await direct.keepHome(HOME, 'what it shows');
    // Both links are open and know every script, so what is cut is the command itself.
    const lines = { fast: store, patient: store.patient };
    for (const line of Object.values(lines)) {
      await line.append(appendOf(newRun(direct, newThread()), 0));
      await line.read(run);
    }
    return { thread, run, approval };
  };
  const look = async ({ thread, run }: Scene) => ({
    ids: (await direct.read(run)).entries.map(({ id }) => id),
    items: await direct.readItems(run),
    inbox: (await direct.thread(thread)).inbox,
    todo: await direct.claimTodo({ limit: 9, leaseMs: 0 }),
    due: await direct.claimDue({ limit: 9, leaseMs: 0 }),
  });

  describe.each(['fast', 'patient'] as const)('on the %s link', (link) => {
    const line = () => (link === 'fast' ? store : store.patient);

    it.each(Object.entries(CASES))(
      'before `%s` arrived: it is sent again, and happens once (FR3)',
      async (_name, one) => {
        const undisturbed = await prepare();
        await one.act(direct, undisturbed);
        const expected = shape(await look(undisturbed), undisturbed);
        const client = server.client();
        await client.flushall();
        client.disconnect();

        const scene = await prepare();
        const cut = proxy.cutBefore(one.mark(scene));
        const answer = await one.act(line(), scene);
        await cut;

        expect(answer).toEqual(one.answers(scene));
        expect(shape(await look(scene), scene)).toEqual(expected);
      },
    );

    it.each(Object.entries(CASES))(
      'after `%s` was done, before its reply: it is not done again (FR4)',
      async (_name, one) => {
        const undisturbed = await prepare();
        await one.act(direct, undisturbed);
        const expected = shape(await look(undisturbed), undisturbed);
        const client = server.client();
        await client.flushall();
        client.disconnect();

        const scene = await prepare();
        const cut = proxy.cutAfter(one.mark(scene));
        const answer = await one.act(line(), scene);
        await cut;

        expect(answer).toEqual((one.answersAgain ?? one.answers)(scene));
        expect(shape(await look(scene), scene)).toEqual(expected);
      },
    );
  });
});

/** The same picture of two scenes is the same text. */
function shape(seen: unknown, scene: Scene): string {
  return JSON.stringify(seen).replaceAll(scene.approval, 'approval').replaceAll(scene.thread, 'thread');
}
