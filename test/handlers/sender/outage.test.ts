import { describe, expect, it } from 'vitest';
import { forMessage } from '../../../handlers/sender/index.ts';
import { limited, lost, refusal, stage, update } from './stage.ts';

/** A minute in which Slack refuses everything. */
const OUTAGE_MS = 60_000;
const STEP_MS = 50;

type Answer = (nowMs: number) => Error | undefined;

/** Slack answers each call at once, as `answer` says, until `untilMs`. Returns how many calls were under way at once. */
async function plays(slack: ReturnType<typeof stage>, untilMs: number, answer: Answer) {
  let answered = slack.arrived.length;
  let atOnce = 0;
  for (const call of slack.arrived) await call.end(answer(call.atMs));
  while (slack.time.now() < untilMs) {
    await slack.later(STEP_MS);
    atOnce = Math.max(atOnce, slack.arrived.length - answered);
    for (; answered < slack.arrived.length; answered += 1) {
      const call = slack.arrived[answered];
      if (call !== undefined) await call.end(answer(call.atMs));
    }
  }
  return { atOnce };
}

const until =
  (endMs: number, error: () => Error): Answer =>
  (atMs) =>
    atMs < endMs ? error() : undefined;

describe('while Slack refuses everything for a minute', () => {
  it.each([
    ['the answer is lost', lost],
    ['internal_error', () => refusal('internal_error')],
    ['service_unavailable', () => refusal('service_unavailable')],
  ])(
    'each of twenty cards shows the truth within a second of Slack taking it, after %s (SURF-3)',
    async (_what, error) => {
      const slack = stage();
      for (let card = 0; card < 20; card += 1) void slack.send('chat.update', update(`${card}`), `card ${card}`);
      await plays(slack, OUTAGE_MS + 1_000, until(OUTAGE_MS, error));

      const taken = slack.arrived.filter(({ atMs }) => atMs >= OUTAGE_MS);
      expect(new Set(taken.map(({ name }) => name)).size).toBe(20);
      expect(taken).toHaveLength(20);
    },
  );

  it('the sender tries one card at a time, less than four times a second in all (SURF-3)', async () => {
    const slack = stage();
    void slack.send('chat.update', update('0'), 'card');
    await plays(slack, 1_000, until(OUTAGE_MS, lost));
    const before = slack.arrived.length;
    for (let card = 1; card < 20; card += 1) void slack.send('chat.update', update(`${card}`), 'card');
    const { atOnce } = await plays(slack, OUTAGE_MS, until(OUTAGE_MS, lost));

    expect(atOnce).toBe(1);
    expect(slack.arrived.length - before).toBeLessThan(4 * 60);
  });

  it('a lone card is tried about once a second, and no try takes up a place of the rate (SURF-3)', async () => {
    const slack = stage();
    void slack.send('chat.update', update('0'), 'card');
    await plays(slack, OUTAGE_MS, until(OUTAGE_MS, lost));
    expect(slack.arrived.length).toBeLessThan(75);

    for (let card = 1; card < 50; card += 1) void slack.send('chat.update', update(`${card}`), 'later');
    await plays(slack, OUTAGE_MS + 1_000, () => undefined);
    expect(slack.names().filter((name) => name === 'later')).toHaveLength(49);
  });

  it('a card waits as long as Slack says after a 429, and is painted at that moment (SURF-3)', async () => {
    const slack = stage();
    void slack.send('chat.update', update('0'), 'card');
    await plays(
      slack,
      OUTAGE_MS + 1_000,
      until(OUTAGE_MS, () => limited(20)),
    );

    expect(slack.arrived.length).toBeLessThanOrEqual(4);
    expect(slack.arrived.at(-1)?.atMs).toBeGreaterThanOrEqual(OUTAGE_MS);
    expect(slack.arrived.at(-1)?.atMs).toBeLessThan(OUTAGE_MS + 1_000);
  });

  it('a card that alone meets trouble holds up no other card for more than a second (SURF-3)', async () => {
    const slack = stage();
    void slack.send('chat.update', update('0'), 'poison');
    const sentAtMs = new Map<string, number>();
    const waits: number[] = [];
    let answered = 0;
    for (let card = 1; card < 40; card += 1) {
      sentAtMs.set(`card ${card}`, slack.time.now());
      void slack.send('chat.update', update(`${card}`), `card ${card}`);
      for (let step = 0; step < 30; step += 1) {
        await slack.later(STEP_MS);
        for (; answered < slack.arrived.length; answered += 1) {
          const call = slack.arrived[answered];
          if (call === undefined) continue;
          await call.end(call.name === 'poison' ? refusal('internal_error') : undefined);
          if (call.name !== 'poison') waits.push(call.atMs - (sentAtMs.get(call.name) ?? 0));
        }
      }
    }
    expect(waits).toHaveLength(39);
    expect(Math.max(...waits)).toBeLessThan(1_000);
  });

  it('a card that Slack takes for two minutes not at all is given back to its run (SURF-3)', async () => {
    const slack = stage();
    const sent = slack.send('chat.update', update('0'), 'card');
    await plays(slack, 130_000, () => lost());

    await expect(sent).rejects.toThrow('the connection broke');
    const before = slack.arrived.length;
    await plays(slack, 200_000, () => lost());
    expect(slack.arrived).toHaveLength(before);
  });
});

const aboutAuthor = (call: number) => forMessage({ user: `U${call}` });
const ofCard = (call: number) => update(`${call}`);

it.each([
  ['cards go', 'who wrote a message', 'users.info', aboutAuthor, 'chat.update', ofCard],
  ['who wrote a message is looked up', 'cards', 'chat.update', ofCard, 'users.info', aboutAuthor],
] as const)(
  '%s at once while Slack answers no call about %s (SURF-3)',
  async (_what, _about, hangs, eachOf, other, one) => {
    const slack = stage();
    for (let call = 0; call < 45; call += 1) void slack.send(hangs, eachOf(call), `hangs ${call}`);
    await slack.later(STEP_MS);
    void slack.send(other, one(99), 'other');
    await slack.later(STEP_MS);

    expect(slack.names()).toContain('other');
  },
);
