import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { TEAM } from '../../support/slack.ts';
import { api, bot, door, onStage, start } from '../stage.ts';
import { textOf } from '../views/fits.ts';
import { trust } from '../views/homes.ts';
import { ANN, APPROVAL, BEN, GRANT, pending } from '../views/records.ts';

onStage();
afterEach(() => {
  vi.useRealTimers();
});

const opened = { type: 'app_home_opened', user: ANN, channel: 'D0ANN00001', tab: 'home', event_ts: '1.1' };
const published = () => api.to('views.publish');
const last = () => textOf(published().at(-1)?.args.view);
const press = (action: string, value: string) => ({
  type: 'block_actions',
  user: { id: ANN, team_id: TEAM },
  team: { id: TEAM },
  container: { type: 'view', view_id: 'V0HOME0001' },
  view: { id: 'V0HOME0001', hash: 'h', type: 'home', callback_id: '', private_metadata: '' },
  trigger_id: '1.2.trigger',
  actions: [{ type: 'button', action_id: action, block_id: 'b', action_ts: '1.1', value }],
});

describe('the Home page', () => {
  it('the Home page is drawn for the person who opens it, with what concerns this person', async () => {
    await start({ waiting: { approvals: [pending()], more: 0 }, trusts: [trust()] });

    await door.event(opened);
    await api.until(() => published().length === 1);

    expect(published()[0]?.args.user_id).toBe(ANN);
    expect(textOf(published()[0]?.args.view)).toContain('Restart the payments service.');
    expect(bot.asked.places).toEqual([{ user: ANN, team: TEAM }]);
  });

  it('the Home page is not drawn when a person opens the Messages tab', async () => {
    await start();

    await door.event({ ...opened, tab: 'messages' });
    await door.event(opened);
    await api.until(() => published().length > 0);

    expect(published()).toHaveLength(1);
  });

  it('a Home page that cannot be read says so, and never looks empty', async () => {
    await start({
      waitingFails: true,
    });

    await door.event(opened);
    await api.until(() => published().length === 1);

    expect(textOf(published()[0]?.args.view)).toContain('I cannot look this up just now.');
  });

  it('a Home page that could not be read once is drawn again by itself (SURF-3)', async () => {
    let tries = 0;
    await start({
      waitingNow: () => {
        tries += 1;
        if (tries === 1) throw new Error('the store is away');
        return { approvals: [], more: 3 };
      },
    });

    await door.event(opened);
    await api.until(() => last().includes('I cannot look this up just now.'));
    await api.until(() => last().includes('*Waiting for you* (3)'));
  });

  it('a Home page that can never be read is not tried again for ever (SURF-3)', async () => {
    const later = setTimeout;
    let drawn = 0;
    await start({
      waitingNow: () => {
        drawn += 1;
        throw new Error('damaged');
      },
    });
    vi.useFakeTimers({ toFake: ['setTimeout'] });

    door.slack.changed([{ team: TEAM, user: ANN }]);
    for (let second = 0; second < 120; second += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      await new Promise((resolve) => later(resolve, 5));
    }
    vi.useRealTimers();

    expect(drawn).toBe(13);
  });

  it('a Home page that cannot be read is not tried again by a process that has stopped (SURF-3)', async () => {
    let drawn = 0;
    await start({
      waitingNow: () => {
        drawn += 1;
        throw new Error('damaged');
      },
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    await door.event(opened);
    await api.until(() => published().length === 1);

    await door.slack.stop();
    // On a busy computer it may have been tried again before.
    const before = drawn;
    await vi.advanceTimersByTimeAsync(60_000);

    expect(drawn).toBe(before);
  });

  it('the Home page shows many changes at once to each person (P12)', async () => {
    await start();
    // On a busy computer a page is long on its way, and is drawn once more for that.
    vi.useFakeTimers({ toFake: ['performance'] });
    const people = [
      { team: TEAM, user: ANN },
      { team: TEAM, user: BEN },
    ];

    for (let change = 0; change < 20; change += 1) door.slack.changed(people);
    await api.until(() => published().length >= 2);
    await new Promise((resolve) => setTimeout(resolve, 500));

    expect(published().map(({ args }) => args.user_id)).toEqual([ANN, BEN]);
  });

  it('the Home page waits out a rate limit and shows what is true then', async () => {
    let drawn = 0;
    const waitingNow = () => {
      drawn += 1;
      return { approvals: [], more: drawn === 1 ? 1 : 7 };
    };
    await start({ waitingNow });
    api.next('views.publish', { type: 'status', status: 429, headers: { 'retry-after': '1' } });

    await door.event(opened);
    await api.until(() => published().length === 3);

    expect(textOf(published()[2]?.args.view)).toContain('*Waiting for you* (7)');
  });

  it('a press on the Home page ends a trust, and the page says so', async () => {
    await start({ trusts: [] });

    await door.press(press('trust_end_listed', GRANT));
    await api.until(() => published().length === 1);

    expect(bot.asked.revoked).toEqual([{ trust: GRANT, by: ANN }]);
    expect(textOf(published()[0]?.args.view)).toContain('Trust ended: the next call asks again.');
  });

  it('the answer to a press stays on the Home page for half a minute, also when the page is drawn anew (SURF-3)', async () => {
    let waiting = 1;
    await start({ waitingNow: () => ({ approvals: [], more: waiting }) });
    vi.useFakeTimers({ toFake: ['performance'] });
    const redrawn = async (more: number) => {
      waiting = more;
      vi.advanceTimersByTime(14_000);
      door.slack.changed([{ team: TEAM, user: ANN }]);
      await api.until(() => last().includes(`*Waiting for you* (${more})`));
      await pause(100);
      return last();
    };

    await door.press(press('trust_end_listed', GRANT));
    await api.until(() => published().length === 1);
    expect(await redrawn(2)).toContain('Trust ended: the next call asks again.');
    expect(await redrawn(3)).toContain('Trust ended: the next call asks again.');

    await redrawn(4);
    // The page before it may have taken so long that it was drawn once more.
    expect(await redrawn(5)).not.toContain('Trust ended');
  });

  it('no press on the Home page decides a call (P42)', async () => {
    await start();

    await door.press(press('approval_approve', APPROVAL));
    await api.until(() => bot.logged.some(({ message }) => message === 'A press was not acted on'));

    expect(bot.asked.presses).toEqual([]);
  });
});
