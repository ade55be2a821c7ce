import { describe, expect, it } from 'vitest';
import { testClock } from '../../../../app/clock.ts';
import { EntryBody } from '../../../../app/journal/facts/entries.ts';
import { readLine } from '../../../../app/journal/line/line.ts';
import { SetBackError } from '../../../../app/recorder/index.ts';
import { openRunJournal } from '../../../../app/recorder/run-journal.ts';
import { TakenOverError } from '../../../../app/runs/story/taken-over.ts';
import { createPosts } from '../../../../app/runs/telling/posts.ts';
import type { AtStep } from '../../../../app/step.ts';
import type { Store } from '../../../../app/store/store.ts';
import { type Post, StalePostError } from '../../../../app/surface.ts';
import { runId, started, THREAD } from '../../../support/journal.ts';
import { createModelStore } from '../../../support/model-store.ts';

const PATIENCE_MS = 4_000;
const quiet = () => {};
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

/** A thread in which posts take until `arrive` is called, and processes that write to it. */
async function thread() {
  const clock = testClock(1_000);
  const store = createModelStore(clock);
  let facts = store;
  /** The store loses all but the first entry of the run. */
  const setBack = async () => {
    const { entries } = await facts.read(runId(), 0, 1);
    facts = createModelStore(clock);
    await facts.append({ journal: runId(), expectedVersion: 0, entries, effects: [] });
  };
  const types = async () => (await facts.read(runId())).entries.map(({ text }) => readLine(EntryBody, text).entry.type);
  const sent: Post[] = [];
  const withdrawn: string[] = [];
  const inFlight: (() => void)[] = [];
  let ids = 0;
  const process = async (
    by: string,
    { standsStill = false, queues = false, hearsLate = false, step = quiet as AtStep } = {},
  ) => {
    const read: Store['read'] = async (...about) => {
      const page = await facts.read(...about);
      if (hearsLate) clock.advance(PATIENCE_MS);
      hearsLate = false;
      return page;
    };
    const journal = openRunJournal(
      {
        store: { ...store, read, append: (request) => facts.append(request) },
        entryId: () => `id-${++ids}`,
        elapsed: clock.now,
      },
      runId(),
    );
    if ((await journal.refresh()) === undefined) {
      await journal.commit(() => ({ entries: [started], result: undefined }));
    }
    const surface = {
      amend: async () => 'painted' as const,
      takeBack: async (_thread: unknown, { ts }: { readonly ts: string }) => void withdrawn.push(ts),
      say: async (_thread: unknown, post: Post) => {
        const travels = () => new Promise<void>((resolve) => inFlight.push(resolve));
        if (standsStill || queues) await travels();
        if (queues && post.isStale?.() === true) throw new StalePostError('It waited too long.');
        const there = sent.findIndex(({ key }) => key === post.key);
        const ts = post.maybePosted && there !== -1 ? there : sent.push(post) - 1;
        if (!standsStill && !queues) await travels();
        return { channel: THREAD.channel, ts: `${ts}` };
      },
    };
    const deps = { surface, log, step, by, end: journal.commit };
    const posts = createPosts(deps, journal);
    return { journal, say: () => posts.say('turn/1', { text: 'Done.' }) };
  };
  const arrive = () => {
    for (const resolve of inFlight.splice(0)) resolve();
  };
  return { clock, sent, withdrawn, process, arrive, inFlight, setBack, types };
}

function gate() {
  let open = quiet;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), opened };
}

describe('a post that two processes have to make at the same instant', () => {
  it('is sent by one of them, and the other one releases the run (D12)', async () => {
    const { sent, process, arrive, inFlight } = await thread();
    const [one, other] = [await process('one'), await process('other')];

    const both = Promise.allSettled([one.say(), other.say()]);
    await expect.poll(() => inFlight).toHaveLength(1);
    arrive();
    const outcomes = await both;

    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: expect.any(TakenOverError) });
    expect(sent).toMatchObject([{ maybePosted: false }]);
  });

  it('is left alone after it was posted (D12)', async () => {
    const { sent, process, arrive, inFlight } = await thread();
    const [one, other] = [await process('one'), await process('other')];
    const said = one.say();
    await expect.poll(() => inFlight).toHaveLength(1);
    arrive();
    await said;

    await other.say();

    expect(sent).toHaveLength(1);
  });

  it('is taken over when the process that began it has been silent for too long, after a search of the thread (FK20)', async () => {
    const { clock, sent, process, arrive, inFlight } = await thread();
    const [dead, other] = [await process('dead'), await process('other')];
    void dead.say();
    await expect.poll(() => inFlight).toHaveLength(1);

    clock.advance(PATIENCE_MS - 1);
    await expect(other.say()).rejects.toThrow(TakenOverError);
    clock.advance(1);
    const said = other.say();
    await expect.poll(() => inFlight).toHaveLength(2);
    arrive();
    await said;

    expect(sent).toHaveLength(1);
    expect(other.journal.state()?.posting.get('turn/1')?.by).toBe('other');
  });

  it('is in the thread once when a process that paused before the send goes on: it removes its own (P22, D12)', async () => {
    const { clock, sent, withdrawn, process, arrive, inFlight } = await thread();
    const [slow, other] = [await process('slow', { standsStill: true }), await process('other')];
    const late = slow.say();
    await expect.poll(() => inFlight).toHaveLength(1);
    clock.advance(PATIENCE_MS);
    const said = other.say();
    await expect.poll(() => inFlight).toHaveLength(2);
    inFlight.pop()?.();
    await said;

    arrive();
    await late;

    expect(sent).toHaveLength(2);
    expect(withdrawn).toEqual(['1']);
    expect(slow.journal.state()?.posted.get('turn/1')?.ts).toBe('0');
  });

  it('is left to the process that took it over from one that paused before the send, even if the new one died (P22, D12)', async () => {
    const { clock, sent, process, inFlight } = await thread();
    const still = gate();
    const slow = await process('slow', { step: () => still.opened });
    const dead = await process('dead');
    const late = slow.say();
    await expect.poll(() => slow.journal.state()?.posting.has('turn/1')).toBe(true);
    clock.advance(PATIENCE_MS);
    void dead.say();
    await expect.poll(() => inFlight).toHaveLength(1);

    still.open();

    await expect(late).rejects.toThrow(TakenOverError);
    expect(sent).toHaveLength(1);
  });

  it('is begun again by a process whose post waited for its turn until another one had posted it and died (D12)', async () => {
    const { clock, sent, withdrawn, process, inFlight } = await thread();
    const waits = await process('one', { queues: true });
    const saying = waits.say();
    await expect.poll(() => inFlight).toHaveLength(1);
    clock.advance(PATIENCE_MS);
    void (await process('other')).say();
    await expect.poll(() => sent).toHaveLength(1);
    clock.advance(PATIENCE_MS);

    inFlight.shift()?.();
    await expect.poll(() => inFlight).toHaveLength(2);
    inFlight.at(-1)?.();
    await saying;

    expect([sent.length, withdrawn]).toEqual([1, []]);
    expect(waits.journal.state()?.posted.get('turn/1')?.ts).toBe('0');
  });

  it('is begun again by a process that paused before the send, after a search of the thread (FK20)', async () => {
    const { clock, sent, process, arrive, inFlight } = await thread();
    const still = gate();
    const slow = await process('slow', { step: () => still.opened });
    const late = slow.say();
    await expect.poll(() => slow.journal.state()?.posting.has('turn/1')).toBe(true);
    clock.advance(PATIENCE_MS);

    still.open();
    await expect.poll(() => inFlight).toHaveLength(1);
    await expect((await process('other')).say()).rejects.toThrow(TakenOverError);
    arrive();
    await late;

    expect(sent).toMatchObject([{ maybePosted: true }]);
  });

  it('is begun by the time of the store, even when the process paused while it read that time (D12, D14)', async () => {
    const { sent, process, arrive, inFlight } = await thread();
    await process('earlier');
    const slow = await process('slow', { hearsLate: true });

    const said = slow.say();
    await expect.poll(() => inFlight).toHaveLength(1);
    await expect((await process('other')).say()).rejects.toThrow(TakenOverError);
    arrive();
    await said;

    expect(sent).toHaveLength(1);
  });

  it('is sent in the end when everything is so slow that its intent is always old, after a search of the thread (FR9)', async () => {
    const { clock, sent, process, arrive, inFlight } = await thread();
    const steps: string[] = [];
    const step: AtStep = (at) => {
      steps.push(at);
      clock.advance(PATIENCE_MS);
    };
    const slow = await process('slow', { step });

    const said = slow.say();
    await expect.poll(() => inFlight).toHaveLength(1);
    arrive();
    await said;

    expect(sent).toMatchObject([{ maybePosted: true }]);
    expect(steps.filter((at) => at === 'post-begun')).toHaveLength(3);
  });

  it('is searched for by the same process when it does not know whether its first try arrived (FK20)', async () => {
    const { sent, process, arrive, inFlight } = await thread();
    const one = await process('one');
    void one.say();
    await expect.poll(() => inFlight).toHaveLength(1);
    const again = one.say();
    await expect.poll(() => inFlight).toHaveLength(2);
    arrive();
    await again;

    expect(sent).toHaveLength(1);
  });

  it('is not written as posted when the store was set back behind its intent while it was on its way (D12, EDGE-3)', async () => {
    const { process, arrive, inFlight, setBack, types } = await thread();
    const { journal, say } = await process('one');
    const said = say().catch((error: unknown) => error);
    await expect.poll(() => inFlight).toHaveLength(1);
    await setBack();
    // A hint makes this process read before its post has arrived.
    await journal.refresh().catch(() => {});
    arrive();

    expect(await said).toBeInstanceOf(SetBackError);
    expect(await types()).toEqual(['run-started']);
  });
});
