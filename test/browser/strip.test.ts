import { describe, expect, it } from 'vitest';
import { sharedOf } from '../support/amount.ts';
import { type DemoPage, onOwnDemos } from '../support/demo-page.ts';

/** Each button of the strip, in two plays, against the real bot. */
const PLAYS = [
  { asks: 'restart the payments service', tool: 'restart_service', decides: 'Ann', done: 'was restarted' },
  { asks: 'drop the old database', tool: 'drop_database', decides: 'Ben', done: 'The old database is gone' },
] as const;
type Play = (typeof PLAYS)[number];
/** A title, and what a test does in a play. */
type Trial = readonly [title: string, run: (play: Play) => Promise<void>];

let demo: DemoPage;
const take = (opened: DemoPage) => {
  demo = opened;
};

async function approve({ tool }: Play) {
  await demo.button('Approve').click();
  // What cannot be undone is confirmed.
  if (tool === 'drop_database') await demo.page.getByRole('button', { name: 'Yes, delete' }).click();
}

async function ask({ asks, decides }: Play) {
  await demo.write(asks);
  await demo.sees('Approval needed');
  await demo.be(decides);
}

const KILL: Trial = [
  'a bot that is killed comes back by itself, and its card still works',
  async (play) => {
    await ask(play);
    await demo.trick('Kill the bot');
    await demo.happened('and back after');

    await approve(play);
    await demo.sees(play.done);
    await expect.poll(demo.counts).toBe(`${play.tool}: asked 1 · allowed 1 · started 1`);
  },
];

const OTHERS: readonly Trial[] = [
  [
    'a bot that is killed in the middle of the tool asks what became of the call',
    async (play) => {
      await demo.trick('Kill it in the middle of the tool');
      await demo.happened('Armed.');
      await ask(play);
      await approve(play);

      await demo.happened(`Killed while ${play.tool} ran.`);
      await demo.sees('Did this happen?');
      await demo.sees('outcome unknown');
      expect(await demo.counts()).toBe(`${play.tool}: asked 1 · allowed 1 · started 1`);
    },
  ],
  [
    'a press that is delivered five times more counts once',
    async (play) => {
      await demo.trick('Deliver the last press five times');
      await demo.happened('Press one on a card');
      await ask(play);
      await approve(play);
      await demo.sees(play.done);

      await demo.trick('Deliver the last press five times');
      await demo.happened('Delivered the press of “Approve” 5 more times; the bot took 5 of them. No tool started');
      await expect.poll(demo.counts).toBe(`${play.tool}: asked 1 · allowed 1 · started 1`);
    },
  ],
  [
    'a message whose answer is lost stands once',
    async (play) => {
      await demo.trick('Lose the next answer of Slack');
      await demo.happened('Ready.');
      await ask(play);
      await demo.happened('Slack posted “I will');

      await approve(play);
      await demo.sees(play.done);
      expect(await demo.thread.getByText('I will').count()).toBe(1);
    },
  ],
  [
    'a card that gets no answer expires, and nothing runs',
    async (play) => {
      await demo.trick('Let the next card expire');
      await demo.page.getByText('The bot is gone').waitFor();
      await demo.page.getByText('The bot is gone').waitFor({ state: 'detached' });
      await ask(play);

      await demo.happened('It expired, and that is no yes');
      await demo.button('Ask again').waitFor();
      await expect.poll(demo.counts).toBe(`${play.tool}: asked 1 · allowed 0 · started 0`);
    },
  ],
];

const ON_REDIS: readonly Trial[] = [
  [
    'of two replicas one can be killed, and the other one goes on',
    async (play) => {
      await demo.trick('Second replica');
      await demo.happened('Two processes of the bot run now');
      await ask(play);
      await demo.trick('Kill the bot');
      await approve(play);

      await demo.sees(play.done);
      await demo.happened('Killed one of two. The other went on meanwhile.');
      await expect.poll(demo.counts).toBe(`${play.tool}: asked 1 · allowed 1 · started 1`);
    },
  ],
  [
    'on a slow store a press is late, and counts once',
    async (play) => {
      await ask(play);
      await demo.trick('Slow the store');
      await demo.happened('Each answer of the store takes half a second');
      await approve(play);

      await demo.sees(play.done);
      await demo.happened('The store is fast again.');
      await expect.poll(demo.counts).toBe(`${play.tool}: asked 1 · allowed 1 · started 1`);
    },
  ],
];

const [onSqlite, onRedis] = sharedOf<readonly [readonly Trial[], readonly Trial[]]>({
  test: [[KILL], []],
  prove: [OTHERS, ON_REDIS],
  whole: [[KILL, ...OTHERS], ON_REDIS],
});
const engines = [
  ['SQLite', { withRedis: false }, onSqlite],
  ['Redis', { withRedis: true }, onRedis],
] as const;

describe.each(engines.filter(([, , trials]) => trials.length > 0))(
  'try to break it on %s',
  (_engine, setup, trials) => {
    onOwnDemos(take, setup);

    for (const [title, run] of trials) it.each(PLAYS)(`${title}: $asks (DEMO-2)`, run);
  },
);
