import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { WaitingList } from '../../../app/approvals/approvals.ts';
import type { HomeClaims } from '../../../app/store/index.ts';
import { createModelStore } from '../../support/model-store.ts';
import { type Door, openDoor, TEAM } from '../../support/slack.ts';
import { testTimers } from '../../support/timers.ts';
import { parts } from '../parts.ts';
import { api, door, onStage, start } from '../stage.ts';
import { textOf } from '../views/fits.ts';
import { ANN, GRANT } from '../views/records.ts';

onStage();

const PERSON = { user: ANN, team: TEAM };
const opened = { type: 'app_home_opened', user: ANN, channel: 'D0ANN00001', tab: 'home', event_ts: '1.1' };
const trustEnded = {
  type: 'block_actions',
  user: { id: ANN, team_id: TEAM },
  team: { id: TEAM },
  container: { type: 'view', view_id: 'V0HOME0001' },
  view: { id: 'V0HOME0001', hash: 'h', type: 'home', callback_id: '', private_metadata: '' },
  trigger_id: '1.2.trigger',
  actions: [{ type: 'button', action_id: 'trust_end_listed', block_id: 'b', action_ts: '1.1', value: GRANT }],
};
const LEASE_MS = 5_000;
const MINUTE_MS = 60_000;

const published = () => api.to('views.publish').map(({ args }) => textOf(args.view));
const waiting = (more: number): WaitingList => ({ approvals: [], more });
const held = { person: PERSON, by: 'another process', forMs: 60 * MINUTE_MS };

describe('of several processes on one store', () => {
  let clock: ReturnType<typeof testTimers>;
  let store: HomeClaims;
  let isAway: boolean;
  /** How many questions wait for Ann. */
  let open: number;
  let drawn: number;
  /** What the first process draws may be old when it is sent. */
  let untilSent: Promise<void> | undefined;
  /** Pages that a process has done with, and claims that it renewed meanwhile. */
  let done: number;
  let renewed: number;
  let other: Door;

  const waitingNow = () => {
    drawn += 1;
    if (isAway) throw new Error('the store is away');
    return waiting(open);
  };
  const orAway = <Answer>(answer: () => Promise<Answer>) =>
    isAway ? Promise.reject(new Error('the store is away')) : answer();

  beforeEach(async () => {
    clock = testTimers();
    const model = createModelStore(clock);
    store = {
      claimHome: (claim) => orAway(() => model.claimHome(claim)),
      keepHome: async (claim, shows) => {
        const kept = await orAway(() => model.keepHome(claim, shows));
        if (shows === undefined) renewed += 1;
        else done += 1;
        return kept;
      },
    };
    [isAway, open, drawn, untilSent, done, renewed] = [false, 1, 0, undefined, 0, 0];
    const slowly = async () => {
      const seen = waitingNow();
      await untilSent;
      return seen;
    };
    await start({ store, waitingNow: slowly });
    other = await openDoor(parts({ store, waitingNow }));
    onTestFinished(() => other.slack.stop());
  });

  /** The person opens the page, which the process draws and then sends, or not. */
  const look = async (process: Door) => {
    const before = done;
    await process.event(opened);
    await api.until(() => done > before);
  };
  const heldUp = (): (() => void) => {
    let goOn = () => {};
    untilSent = new Promise((resolve) => {
      goOn = resolve;
    });
    return goOn;
  };

  it('none sends a Home page that shows nothing new for ten minutes, and after that one does (SURF-3)', async () => {
    await look(door);
    clock.advance(6 * MINUTE_MS);
    await look(other);
    await look(door);
    expect(published()).toHaveLength(1);

    clock.advance(5 * MINUTE_MS);
    await look(other);
    await api.until(() => published().length === 2);
    open = 2;
    await look(door);
    await api.until(() => published().length === 3);
    expect(published()[2]).toContain('*Waiting for you* (2)');
  });

  it('none keeps a plain hash of a Home page, with which a reader of the store could try what it shows (SURF-3)', async () => {
    await look(door);
    const kept = await store.claimHome(held);

    const text = JSON.stringify(api.to('views.publish')[0]?.args.view);
    const hashes = ['base64url', 'base64', 'hex'] as const;
    expect(kept).toEqual({ shows: expect.stringMatching(/^\S{40,}$/), forMs: expect.any(Number) });
    expect(hashes.map((as) => createHash('sha256').update(text).digest(as))).not.toContain(
      typeof kept === 'object' && kept.shows,
    );
  });

  it('one that stood still and sent an old Home page draws it again, and sends it (SURF-3)', async () => {
    const goOn = heldUp();
    await door.event(opened);
    await api.until(() => drawn === 1);
    clock.advance(LEASE_MS);
    open = 2;
    await look(other);
    await api.until(() => published().length === 1);
    untilSent = undefined;
    goOn();

    await api.until(() => published().length === 3);
    expect(published().map((text) => /\((\d)\)/.exec(text)?.[1])).toEqual(['2', '1', '2']);
    await look(door);
    expect(published()).toHaveLength(3);
  });

  it('one has a Home page for itself for as long as it takes (SURF-3)', async () => {
    const goOn = heldUp();
    await door.event(opened);
    await api.until(() => drawn === 1);
    for (let third = 1; third <= 4; third += 1) {
      const before = renewed;
      await api.until(() => renewed > before);
      clock.advance(LEASE_MS / 3);
    }

    expect(await store.claimHome(held)).toBe('elsewhere');
    goOn();
    await api.until(() => published().length === 1);
  });

  it('one sends a Home page after Slack has refused that of another one, whatever it showed before (SURF-3)', async () => {
    await look(other);
    open = 2;
    api.next('views.publish', { type: 'json', body: { ok: false, error: 'invalid_blocks' } });
    await door.event(opened);
    await api.until(() => published().length === 2);
    open = 1;
    clock.advance(LEASE_MS);
    await look(other);

    await api.until(() => published().length === 3);
    expect(published().map((text) => /\((\d)\)/.exec(text)?.[1])).toEqual(['1', '2', '1']);
  });

  it('one publishes a Home page for the person who looks while the store is away, and draws it anew when the store is back (SURF-3)', async () => {
    await look(other);
    isAway = true;
    await door.event(opened);
    await api.until(() => published().length === 2);
    expect(published()[1]).toContain('I cannot look this up just now.');
    isAway = false;

    await api.until(() => published().length === 3);
    expect(published()[2]).toBe(published()[0]);
    await look(other);
    expect(published()).toHaveLength(3);
  });

  it('one leaves a change for a Home page until another one has published it, and until the store is back (SURF-3)', async () => {
    await store.claimHome(held);
    door.slack.changed([PERSON]);
    await pause(700);
    expect(drawn).toBe(0);
    await store.keepHome(held, 'x');
    await api.until(() => published().length === 1);

    open = 2;
    isAway = true;
    other.slack.changed([PERSON]);
    await pause(700);
    expect(published()).toHaveLength(1);
    isAway = false;
    await api.until(() => published().length === 2);
  });

  it('one shows its answer to a press on the Home page after what another one publishes (SURF-3)', async () => {
    await store.claimHome(held);
    await door.press(trustEnded);
    await pause(300);
    expect(drawn).toBe(0);

    await store.keepHome(held, 'x');
    await api.until(() => published().length === 1);
    expect(published()[0]).toContain('Trust ended: the next call asks again.');
  });
});
