import { WebAPIRateLimitedError } from '@slack/web-api';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SlackBusyError } from '../../../handlers/sender/errors.ts';
import { createLane } from '../../../handlers/sender/lane.ts';
import { untilAborted } from '../../../handlers/sender/rates.ts';
import { limited, lost, refusal, settled, stage, update } from './stage.ts';

describe('the sender', () => {
  it('the sender posts in bursts of ten to a channel, and then about one a second, whatever happens elsewhere', async () => {
    const { send, names, later, endAll } = stage();
    for (let at = 0; at < 14; at += 1) void send('chat.postMessage', { channel: 'C1' }, `one ${at}`);
    void send('chat.postMessage', { channel: 'C2' }, 'elsewhere');
    await settled();

    expect(names()).toEqual([...Array.from({ length: 10 }, (_, at) => `one ${at}`), 'elsewhere']);
    await endAll();
    await later(11_000);
    expect(names().slice(11)).toEqual(['one 10', 'one 11', 'one 12', 'one 13']);
  });

  it('the sender refuses a call at once that is not wanted any more while it waits, also after Slack limited it (T17)', async () => {
    const { send, arrived, names, later } = stage();
    const stopping = new AbortController();
    const limitedFirst = send('chat.postMessage', untilAborted({ channel: 'C1' }, stopping.signal), 'limited');
    const sent = send('chat.postMessage', untilAborted({ channel: 'C2' }, stopping.signal), 'sent');
    await arrived[0]?.end(limited(5));
    stopping.abort();
    await expect(limitedFirst).rejects.toThrow(SlackBusyError);
    await arrived[1]?.end();
    await expect(sent).resolves.toBe('sent');

    const late = send('chat.postMessage', untilAborted({ channel: 'C3' }, stopping.signal), 'late');
    await expect(late).rejects.toThrow(/was not sent to Slack/);
    await later(10_000);
    expect(names()).toEqual(['limited', 'sent']);
  });

  it('the sender lets the answer to a press overtake earlier calls', async () => {
    const { send, arrived, names } = stage();
    for (let at = 0; at < 60; at += 1) {
      void send('chat.postMessage', { channel: `C${at}` }, 'speech');
    }
    void send('agents.sessions.setStatus', { channel_id: 'C1', thread_ts: '1' }, 'cosmetic');
    void send('chat.update', update('1'), 'card');
    void send('views.open', {}, 'answer');
    await settled();

    // Forty are under way, and nothing else but an answer may go.
    expect(names().slice(40)).toEqual(['answer']);
    await arrived[0]?.end();
    expect(names().slice(41)).toEqual(['card']);
  });

  it('the sender opens a view before everything else, and gives it up when its trigger is dead (SURF-1)', async () => {
    const { send, arrived, names, later } = stage();
    void send('chat.postEphemeral', {}, 'answer');
    let end: unknown;
    void send('views.open', {}, 'form').catch((error: unknown) => (end = error));
    for (const at of [0, 1]) await arrived[at]?.end(limited(2));

    await later(2_000);
    expect(names().slice(2)).toEqual(['form', 'answer']);
    await arrived[2]?.end(limited(30));
    await later(1_000);
    expect(end).toBeInstanceOf(WebAPIRateLimitedError);
  });

  it('the sender repaints direct messages when no other call waits, and gives them up when it stops', async () => {
    const { sender, send, arrived, names } = stage();
    for (let at = 0; at < 40; at += 1) void send('chat.postMessage', { channel: `C${at}` }, 'speech');
    const metadata = { event_type: 'countersign_direct', event_payload: { key: 'notice:a' } };
    const copy = send('chat.update', { ...update('1'), metadata }, 'copy');
    const other = send('chat.update', { ...update('2'), metadata }, 'other copy');
    void send('conversations.replies', {}, 'lookup');
    void send('chat.update', update('3'), 'card');
    await settled();
    for (const at of [0, 1, 2]) await arrived[at]?.end();

    expect(names().slice(40)).toEqual(['card', 'lookup', 'copy']);
    void sender.drain();
    await arrived[42]?.end();
    await expect(copy).resolves.toBe('copy');
    await expect(other).rejects.toThrow('the bot is stopping');
  });

  it('the sender tells that a call waits for the rate, once it does, and of no other call', async () => {
    const { sender, send, endAll } = stage();
    const told: string[] = [];
    const over = new AbortController();
    const lookOut = (ts: string) =>
      void sender.held({ method: 'chat.update', args: update(ts) }, over.signal).then(() => told.push(ts));
    lookOut('sent');
    lookOut('held');
    // The second waits for the first, and not for the rate.
    for (let at = 0; at < 2; at += 1) void send('chat.update', update('sent'));
    for (let at = 2; at < 50; at += 1) void send('chat.update', update(`${at}`));
    await endAll();
    expect(told).toEqual([]);

    void send('chat.update', update('held'));
    await settled();
    expect(told).toEqual(['held']);
    lookOut('held');
    await settled();
    expect(told).toEqual(['held', 'held']);

    over.abort();
    lookOut('other');
    await settled();
    expect(told).toEqual(['held', 'held', 'sent', 'other']);
  });

  it('the sender does not tell of a call that waits because Slack had trouble with it', async () => {
    const { sender, send, arrived } = stage();
    let told = false;
    void sender.held({ method: 'chat.update', args: update('1') }, new AbortController().signal).then(() => {
      told = true;
    });
    void send('chat.update', update('1'));
    await settled();
    await arrived[0]?.end(lost());
    expect(told).toBe(false);
  });

  it('the sender waits out a 429 for the lane that caused it, and for no other (T10, FS5)', async () => {
    const { send, arrived, names, later } = stage();
    const painted = send('chat.update', update('1'), 'card');
    await arrived[0]?.end(limited(30));
    void send('views.open', {}, 'answer');
    void send('chat.update', update('2'), 'other card');
    await later(29_000);

    expect(names()).toEqual(['card', 'answer']);
    await later(1_000);
    expect(names().slice(2)).toEqual(['card', 'other card']);
    await arrived[2]?.end();
    await expect(painted).resolves.toBe('card');
  });

  it('the sender sends the newest of several waiting paintings, and answers each of their callers (T10, P17)', async () => {
    const { send, arrived, names, later } = stage();
    const first = send('chat.update', update('1'), 'first');
    const second = send('chat.update', update('1'), 'second');
    const third = send('chat.update', update('1'), 'third');
    await arrived[0]?.end(limited(1));
    await later(1_000);

    expect(names()).toEqual(['first', 'third']);
    await arrived[1]?.end();
    expect(await Promise.all([first, second, third])).toEqual(['third', 'third', 'third']);
  });

  it('the sender never sends an older painting again after a newer one (P17)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('ask', 'end', 'lose', 'limit', 'wait'), { maxLength: 40 }),
        async (acts) => {
          const { send, arrived, later } = stage();
          let asked = 0;
          let ended = 0;
          for (const act of acts) {
            if (act === 'ask') {
              asked += 1;
              void send('chat.update', update('1'), `${asked}`);
              await settled();
            } else if (act === 'wait') await later(5_000);
            else if (ended < arrived.length) {
              await arrived[ended]?.end(act === 'end' ? undefined : act === 'lose' ? lost() : limited(2));
              ended += 1;
            }
          }
          const numbers = arrived.map(({ name }) => Number(name));
          expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
        },
      ),
    );
  });

  it.each([
    ['users.info', 3],
    ['agents.sessions.setStatus', 3],
    ['chat.postMessage', 1],
    ['chat.postEphemeral', 1],
    ['chat.appendStream', 1],
    ['views.open', 1],
    ['a.method.of.tomorrow', 1],
  ])('the sender sends %s %i times when it is unknown whether it arrived (P22, FS6)', async (method, times) => {
    const { send, arrived, later } = stage();
    const sent = send(method, { channel: 'C1', ts: '1' });
    for (let at = 0; at < times; at += 1) {
      await arrived[at]?.end(lost());
      await later(10_000);
    }

    await expect(sent).rejects.toThrow('the connection broke');
    expect(arrived).toHaveLength(times);
  });

  it('the sender sends nothing again that Slack refused', async () => {
    const { send, arrived, later } = stage();
    const sent = send('chat.update', update('1'));
    await arrived[0]?.end(refusal());
    await later(60_000);

    await expect(sent).rejects.toThrow('is_archived');
    expect(arrived).toHaveLength(1);
  });

  it('a call that waited too long is refused as busy, and was never sent', async () => {
    const { send, arrived, later } = stage();
    const first = send('chat.postMessage', { channel: 'C1' });
    const second = send('chat.postMessage', { channel: 'C1' });
    await settled();
    await arrived[0]?.end(limited(600));
    await arrived[1]?.end(limited(600));
    const third = send('chat.postMessage', { channel: 'C1' });
    const refused = expect(third).rejects.toThrow(SlackBusyError);
    await later(120_000);

    await refused;
    await expect(Promise.all([first, second])).rejects.toThrow(WebAPIRateLimitedError);
    expect(arrived).toHaveLength(2);
  });

  it('the sender holds a bounded number of calls, and gives up cosmetic ones first', async () => {
    const { send, names, endAll, later } = stage();
    const sent: Promise<string>[] = [];
    for (let at = 0; at < 1_300; at += 1) {
      sent.push(send('agents.sessions.setStatus', { channel_id: 'C1', thread_ts: `${at}` }, 'cosmetic'));
    }
    sent.push(send('views.open', {}, 'answer'));
    await settled();
    expect(names()).toContain('answer');

    await endAll();
    await later(61_000);
    const ends = await Promise.all(sent.map((one) => one.catch((error: unknown) => error)));
    expect(ends.filter((end) => end === 'cosmetic').length).toBeGreaterThanOrEqual(40);
    expect(ends.filter((end) => end instanceof SlackBusyError).length).toBeGreaterThanOrEqual(250);
    expect(ends.at(-1)).toBe('answer');
  });

  it('the sender holds as many of the newest cosmetic calls of one kind as Slack takes in a minute, and all of another kind', async () => {
    const { send } = stage();
    const givenUp: string[] = [];
    const cosmetic = (method: string, args: Record<string, unknown>, name: string) =>
      send(method, args, name).catch(() => givenUp.push(name));
    for (let at = 0; at < 60; at += 1) {
      void cosmetic('reactions.add', { channel: 'C1', timestamp: `${at}`, name: 'eyes' }, 'eyes');
    }
    for (let at = 0; at < 160; at += 1) {
      void cosmetic('agents.sessions.setStatus', { channel_id: 'C1', thread_ts: `${at}` }, `status ${at}`);
    }
    await settled();

    expect(givenUp).toEqual(Array.from({ length: 110 }, (_, at) => `status ${at}`));
  });

  it('the sender sends what is owed before it stops, and gives up the rest', async () => {
    const { sender, send, arrived, names, endAll, later } = stage();
    for (let at = 0; at < 12; at += 1) void send('chat.postMessage', { channel: 'C1' }, 'speech');
    const shown = send('chat.update', update('1'), 'card');
    await settled();
    let drained = false;
    void sender.drain().then(() => {
      drained = true;
    });
    await expect(send('reactions.add', {})).rejects.toThrow('stopping');
    await endAll();
    expect(drained).toBe(false);
    await later(11_000);
    await endAll();

    await expect(shown).resolves.toBe('card');
    expect(names().filter((name) => name === 'speech')).toHaveLength(12);
    expect(arrived).toHaveLength(13);
    expect(drained).toBe(true);
  });

  it('a sender that is shut sends neither waiting calls nor later ones', async () => {
    const { sender, send, arrived, later } = stage();
    for (let at = 0; at < 10; at += 1) void send('chat.postMessage', { channel: 'C1' });
    await settled();
    const waits = send('chat.postMessage', { channel: 'C1' }, 'waits');

    sender.shut(new Error('The app is gone.'));
    await expect(waits).rejects.toThrow('gone');
    await expect(send('views.open', {})).rejects.toThrow('gone');
    await arrived[0]?.end(limited(1));
    await later(60_000);

    expect(arrived).toHaveLength(10);
  });
});

describe('a lane', () => {
  it('a lane never lets more calls through in any stretch of time than it may', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 100 }),
        (most, pauses) => {
          const lane = createLane({ most, withinMs: 1_000 });
          const times: number[] = [];
          let nowMs = 0;
          for (const pauseMs of pauses) {
            nowMs = lane.freeAtMs(nowMs + pauseMs);
            times.push(nowMs);
            lane.sent(nowMs);
          }
          for (const start of times) {
            expect(times.filter((time) => time >= start && time < start + 1_000).length).toBeLessThanOrEqual(most);
          }
        },
      ),
    );
  });
});
