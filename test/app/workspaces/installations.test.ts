import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { testClock } from '../../../app/clock.ts';
import { silentLog } from '../../../app/log.ts';
import { createWorkspaceJournal } from '../../../app/recorder/index.ts';
import { UserId } from '../../../app/records/index.ts';
import { createSecretBox } from '../../../app/secrets/index.ts';
import { type Store, workspaceOf } from '../../../app/store/index.ts';
import { createInstallations } from '../../../app/workspaces/installations.ts';
import { createModelStore } from '../../support/model-store.ts';

const first = createSecretKey(randomBytes(32));
const second = createSecretKey(randomBytes(32));
const OLD = createSecretBox([first]);
const NEW = createSecretBox([second, first]);
const KEPT = { team: 'T1', isOrganisation: false, token: 'xoxb-1', bot: UserId.parse('U0BOT') };

const over = (store: Store, box = NEW) =>
  createInstallations({ store, journal: createWorkspaceJournal({ store, entryId: randomUUID }), box, log: silentLog });

/** A store with an installation that was encrypted before the key was changed. */
async function keptUnderOldKey(): Promise<Store> {
  const store = createModelStore(testClock(1_000));
  await over(store, OLD).keep(KEPT);
  return store;
}

const secrets = (store: Store) => store.members({ what: 'installations', of: 'T1:' });

it('encrypts an installation with a new key when it is next used, and tells of no new one', async () => {
  const store = await keptUnderOldKey();

  expect(await over(store).find('T1')).toEqual(KEPT);

  expect((await secrets(store)).map(NEW.isOld)).toEqual([false]);
  expect((await store.read(workspaceOf('T1', store.shards))).entries).toHaveLength(1);
});

it('stores no installation anew that is removed while it is looked up', async () => {
  const store = await keptUnderOldKey();
  let late = async () => {};
  const members: Store['members'] = async (index) => {
    const there = await store.members(index);
    const now = late;
    late = async () => {};
    await now();
    return there;
  };
  late = async () => void (await over(store).remove('T1', 'app_uninstalled'));

  await over({ ...store, members }).find('T1');

  expect(await secrets(store)).toEqual([]);
});
