import { expect, it } from 'vitest';
import { repeatedEdits } from '../../support/repeated-edits.ts';
import { limited, lost, refusal, settled, stage, update } from './stage.ts';

const shows = (text: string, ts = '1') => ({ ...update(ts), text });

it('a sender that writes alone does not send an edit that shows what Slack took last (SURF-3)', async () => {
  const { send, names, endAll } = stage({ isAlone: true });
  void send('chat.update', shows('one'), 'first');
  await settled();
  await endAll();
  const again = send('chat.update', shows('one'), 'again');
  void send('chat.update', shows('one', '2'), 'another message');
  void send('views.publish', { user_id: 'U1', view: {} }, 'page');
  await settled();
  await endAll();
  void send('views.publish', { user_id: 'U1', view: {} }, 'page again');
  await settled();

  expect(await again).toBe('first');
  expect(names()).toEqual(['first', 'another message', 'page']);
});

it.each([
  ['something else was shown meanwhile', undefined],
  ['Slack refused the edit in between', refusal()],
  ['the answer to the edit in between was lost', lost()],
])('a sender that writes alone sends an edit again when %s (SURF-3, P17)', async (_what, end) => {
  const { send, arrived, later } = stage({ isAlone: true });
  const [shown, other] = [shows('one'), shows('two')];
  void send('chat.update', shown);
  await settled();
  await arrived[0]?.end();
  void send('chat.update', other);
  await settled();
  await arrived[1]?.end(end);
  const before = arrived.length;
  void send('chat.update', shown, 'again');
  await later(2_000);

  expect(arrived.slice(before).map(({ name }) => name)).toContain('again');
});

it('of two equal edits at once, a sender that writes alone sends one (SURF-3)', async () => {
  const { send, names, arrived } = stage({ isAlone: true });
  const both = [send('chat.update', shows('one'), 'first'), send('chat.update', shows('one'), 'second')];
  await settled();
  await arrived[0]?.end();

  expect(await Promise.all(both)).toEqual(['first', 'first']);
  expect(names()).toEqual(['first']);
});

it('an edit that shows nothing new does not wait for its lane (SURF-3)', async () => {
  const { send, names, arrived } = stage({ isAlone: true });
  void send('chat.update', shows('one'), 'first');
  await settled();
  await arrived[0]?.end();
  void send('chat.update', shows('one', '2'), 'limited');
  await settled();
  await arrived[1]?.end(limited(30));

  expect(await send('chat.update', shows('one'), 'again')).toBe('first');
  expect(names()).toEqual(['first', 'limited']);
});

it('a sender beside other processes sends every edit, as another may have shown something else (SURF-3, P17)', async () => {
  const { send, names, endAll } = stage();
  for (const name of ['first', 'again']) {
    void send('chat.update', shows('one'), name);
    await settled();
    await endAll();
  }
  expect(names()).toEqual(['first', 'again']);
});

it('the judge of all recorded calls finds an edit that shows nothing new, and no other (SURF-3)', () => {
  const sent = (method: string, given: Record<string, string>, ok = true) => ({
    ...{ method, arguments: { channel: 'C1', ts: '1', ...given }, token: undefined, atMs: 0, answer: { ok } },
  });
  const one = sent('chat.update', { text: 'one' });
  const page = (view: string) => sent('views.publish', { user_id: 'U1', view });

  expect(repeatedEdits([one, one])).toHaveLength(1);
  expect(repeatedEdits([page('a'), page('a')])).toHaveLength(1);
  expect(repeatedEdits([one, sent('chat.update', { text: 'two' }), one])).toEqual([]);
  expect(repeatedEdits([sent('chat.update', { text: 'one' }, false), one])).toEqual([]);
  expect(repeatedEdits([page('a'), page('b'), sent('auth.test', {}), one])).toEqual([]);
});
