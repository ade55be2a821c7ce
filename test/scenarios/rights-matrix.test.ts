import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANN } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { parts as inside } from '../handlers/views/fits.ts';
import { sharedOf } from '../support/amount.ts';
import {
  aWhile,
  cardIn,
  mention,
  openCards,
  openStage,
  type RunningBot,
  type Stage,
  witnessed,
} from '../support/bot.ts';
import { type About, type DeliveryRow, ROWS, type Sendable } from '../support/every-delivery.ts';
import { ENTITLED, gather, OTHERS, type Persona, ROOMS } from '../support/everybody.ts';

/**
 * Every kind of delivery, sent by everybody, through the real signed door: what the sandbox would not let anybody press
 * arrives here all the same.
 */
let stage: Stage;
let bot: RunningBot;
/** For each kind of test: Slack lets one bot edit fifty messages in a minute. */
function freshStage(): void {
  beforeAll(async () => {
    stage = await openStage();
    gather(stage);
    bot = await stage.startBot({ http: true, env: { COUNTERSIGN_CONFIG: 'test/support/matrix.config.ts' } });
  });
  afterAll(() => stage?.close());
}

const rows = Object.entries(ROWS);
/** `npm test` has the first table, `npm run prove` the others. */
const hasFirst = sharedOf({ test: true, prove: false, whole: true });
const hasOthers = sharedOf({ test: false, prove: true, whole: true });
const doing = (...does: readonly DeliveryRow['does'][]) => rows.filter(([, row]) => does.includes(row.does));

let questions = 0;
const nextRoom = (): string | undefined => {
  questions += 1;
  return ROOMS[questions % ROOMS.length];
};

async function question({ onList }: Pick<DeliveryRow, 'onList'> = {}, room = nextRoom()): Promise<Omit<About, 'by'>> {
  const root = await mention(stage, ANN, onList === true ? 'restart the fleet' : 'restart the payments service', room);
  const card = await cardIn(stage, root);
  const id = inside(card.blocks).find((part) => part.action_id === (onList ? 'list_deny_all' : 'approval_deny'))?.value;
  const approval = typeof id === 'string' ? id : '';
  return { root, card, approval };
}

const nothingRan = (before: number) => expect(witnessed(stage, 'begun')).toHaveLength(before);
const isOpen = ({ root }: { readonly root: SlackMessage }) => openCards(stage, root).length === 1;

describe.runIf(hasFirst)('a delivery sent by a person who may not decide', () => {
  freshStage();
  it.each(doing('decides', 'trusts', 'shows'))(
    '%s decides nothing, gives nothing and runs nothing (P30, P34)',
    async (_name, row) => {
      const before = witnessed(stage, 'begun').length;
      const about = await question(row);
      for (const by of OTHERS) expect((await deliver(row, { ...about, by })).status).toBeLessThan(500);
      await aWhile(300);

      expect(isOpen(about)).toBe(true);
      nothingRan(before);
      // A trust would have stopped this question.
      expect(isOpen(await question({}, about.root.channel))).toBe(true);
      nothingRan(before);
    },
  );
});

describe.runIf(hasOthers).each(doing('stops'))('%s', (_name, row) => {
  freshStage();
  it.each(OTHERS)('can only withdraw the question when it is sent by a $name', async (by) => {
    const before = witnessed(stage, 'begun').length;
    const about = await question();
    await deliver(row, { ...about, by });
    await stage.world.until(() => !isOpen(about));

    nothingRan(before);
  });
});

describe.runIf(hasOthers).each(ENTITLED)('a delivery sent by the $name', (by) => {
  freshStage();
  it.each(doing('decides'))('%s decides (P34, B13)', async (_name, row) => {
    const about = await question(row);
    await deliver(row, { ...about, by });
    await stage.world.until(() => !isOpen(about), { what: `${by.name} decides` });
    await stage.world.command(ANN, about.root.channel, '/untrust', 'all');
    await endTrustIn(about.root);
  });
});

describe.runIf(hasOthers)('a private answer (P37)', () => {
  freshStage();
  const inTheChannel = OTHERS.filter(({ name }) => name !== 'stranger');
  it.each(inTheChannel)('goes to a $name who pressed', async (by) => {
    const about = await question();
    const before = stage.world.messages(about.root).length;
    const heard = stage.world.ephemerals(by.user).length;
    await deliver(ROWS['action approval_approve'], { ...about, by });

    const told = await stage.world.until(() => stage.world.ephemerals(by.user)[heard], { what: 'a private answer' });
    expect(told.text).toMatch(/workspace|Guests|active account|Only .* can decide this/);
    expect(stage.world.messages(about.root)).toHaveLength(before);
  });
});

async function deliver(row: DeliveryRow | undefined, about: About): Promise<Response> {
  if (row === undefined) throw new Error('There is no such row.');
  return post(row.send(about));
}

async function endTrustIn(root: SlackMessage): Promise<void> {
  const words: Persona = { name: 'requester', user: ANN, team: 'T0DEMO0001', mayDecide: true };
  await stage.world.say(words.user, root.channel, '<@U0BOT00001> untrust all', { thread: root });
}

async function post(what: Sendable): Promise<Response> {
  const [body, type] = bodyOf(what);
  const at = Math.floor(Date.now() / 1_000);
  const signature = createHmac('sha256', stage.sandbox.signingSecret).update(`v0:${at}:${body}`).digest('hex');
  return fetch(`http://127.0.0.1:${bot.port}/slack/events`, {
    method: 'POST',
    body,
    headers: {
      'content-type': type,
      'x-slack-request-timestamp': `${at}`,
      'x-slack-signature': `v0=${signature}`,
    },
  });
}

function bodyOf(what: Sendable): readonly [body: string, type: string] {
  const form = (fields: Readonly<Record<string, unknown>>) =>
    [
      new URLSearchParams(
        Object.entries(fields).map(([name, value]): [string, string] => [name, `${value}`]),
      ).toString(),
      'application/x-www-form-urlencoded',
    ] as const;
  switch (what.type) {
    case 'event': {
      const id = `Ev${Math.random().toString(36).slice(2, 12)}`;
      const body = { type: 'event_callback', team_id: 'T0DEMO0001', event_id: id, event: what.event };
      return [JSON.stringify(body), 'application/json'];
    }
    case 'interaction':
      return form({ payload: JSON.stringify(what.payload) });
    case 'command':
      return form(what.fields);
  }
}
