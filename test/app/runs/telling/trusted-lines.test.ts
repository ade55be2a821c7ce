import { describe, expect, it } from 'vitest';
import { testClock } from '../../../../app/clock.ts';
import type { EntryBody } from '../../../../app/journal/facts/entries.ts';
import { owedLines } from '../../../../app/journal/owed/trusted-lines.ts';
import { paintAtOnce } from '../../../../app/questions/one-painter.ts';
import { openRunJournal, type RunJournal } from '../../../../app/recorder/run-journal.ts';
import type { CardReceipt } from '../../../../app/records/index.ts';
import { createTrustedLines, type TrustedLines } from '../../../../app/runs/telling/trusted-lines.ts';
import { ClosedChannelError, type Post } from '../../../../app/surface.ts';
import { fold, grantId, runId, started, THREAD, turn, user } from '../../../support/journal.ts';
import { createModelStore } from '../../../support/model-store.ts';

const GRANT = grantId();
const onTrust = (call: string, grant = GRANT): EntryBody => ({
  type: 'call-started',
  call,
  attempt: call,
  tool: 'deploy',
  digest: 'd',
  grant: { type: 'trust', grant },
  trusted: { by: user('ANN'), summary: `Deploy ${call}.` },
});
const posted: EntryBody = { type: 'posted', key: `trusted/${GRANT}`, card: { channel: 'C1', ts: '2.0' } };
const shown = (calls: number): EntryBody => ({ type: 'line-shown', grant: GRANT, calls });

/** Each call of a line, with a sign for its outcome, and the end of the trust. */
const wordsOf = ({ trusted }: Post): string =>
  [
    ...(trusted?.calls ?? []).map(({ summary, outcome }) => `${summary} ${outcome.type}`),
    ...(trusted?.over === undefined ? [] : ['over']),
  ].join(', ');

/** A place where people read: what stands there by its key, as Slack keeps it. */
function place() {
  const posts = new Map<string, string>();
  const said: string[] = [];
  const put = (post: Post): CardReceipt => {
    posts.set(post.key, wordsOf(post));
    return { channel: THREAD.channel, ts: post.key };
  };
  return {
    said,
    standing: () => [...posts.values()],
    surface: {
      say: async (_thread: unknown, post: Post) => {
        if (post.maybePosted && posts.has(post.key)) return { channel: THREAD.channel, ts: post.key };
        said.push(wordsOf(post));
        return put(post);
      },
      takeBack: async () => {},
      amend: async (_thread: unknown, _card: CardReceipt, post: Post) => {
        put(post);
        return 'painted' as const;
      },
    },
  };
}

type Place = ReturnType<typeof place>;

const quiet = () => {};
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const linesOf = ({ surface }: Place, step = quiet as (at: string) => undefined | Promise<void>): TrustedLines =>
  createTrustedLines({
    surface,
    byOne: paintAtOnce,
    log,
    step,
    by: `process ${processes++}`,
  });
let processes = 0;
const PATIENCE_MS = 4_000;

async function opened(clock = testClock(1_000)): Promise<RunJournal> {
  let ids = 0;
  const journal = openRunJournal(
    { store: createModelStore(clock), entryId: () => `id-${++ids}`, elapsed: clock.now },
    runId(),
  );
  await journal.commit(() => ({ entries: [started, turn(1, 'a', 'b', 'c')], items: ['{}'], result: undefined }));
  return journal;
}

const begin = (journal: RunJournal, ...calls: readonly string[]) =>
  journal.commit(() => ({ entries: calls.map((call) => onTrust(call)), result: undefined }));

describe('the line of a trust', () => {
  it('can never be shown when the channel is closed, and the caller learns that waiting is useless (FS9)', async () => {
    const [journal, there] = [await opened(), place()];
    const closed = new ClosedChannelError(THREAD.channel, 'is_archived');
    const say = () => Promise.reject(closed);
    await begin(journal, '1/a');

    expect(await linesOf({ ...there, surface: { ...there.surface, say } }).settle(journal)).toBe(closed);
  });

  it('counts the second call in the line of the first, and is complete after that (P53)', async () => {
    const [journal, there] = [await opened(), place()];
    const lines = linesOf(there);

    await begin(journal, '1/a');
    expect(await lines.settle(journal)).toBe('paid');
    expect(there.standing()).toEqual(['Deploy 1/a. running']);
    await begin(journal, '1/b');
    expect(await lines.settle(journal)).toBe('paid');

    expect(there.standing()).toEqual(['Deploy 1/a. running, Deploy 1/b. running']);
    expect(there.said).toHaveLength(1);
    const entries = journal.state()?.version;
    expect(await lines.settle(journal)).toBe('paid');
    expect(journal.state()?.version).toBe(entries);
  });

  it('shows only the last of the calls that begin while it is on its way (P53)', async () => {
    const [journal, there] = [await opened(), place()];
    const lines = linesOf(there);
    const amended: string[] = [];
    there.surface.amend = async (_thread, _card, post) => {
      amended.push(wordsOf(post));
      return 'painted';
    };
    const { say } = there.surface;
    let arrive = quiet;
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    there.surface.say = (thread, post) => arrived.then(() => say(thread, post));

    await begin(journal, '1/a');
    const first = lines.settle(journal);
    await begin(journal, '1/b');
    const second = lines.settle(journal);
    await begin(journal, '1/c');
    const third = lines.settle(journal);
    arrive();
    await Promise.all([first, second, third]);

    expect(there.said).toEqual(['Deploy 1/a. running']);
    expect(amended).toEqual(['Deploy 1/a. running, Deploy 1/b. running, Deploy 1/c. running']);
  });

  it('does not keep back the line of another trust in the same run (P53)', async () => {
    const [journal, there] = [await opened(), place()];
    await begin(journal, '1/a');
    await journal.commit(() => ({ entries: [onTrust('1/b', grantId(2))], result: undefined }));

    expect(await linesOf(there).settle(journal)).toBe('paid');

    expect(there.standing()).toEqual(['Deploy 1/a. running', 'Deploy 1/b. running']);
  });

  it.each(['line-begun', 'line-sent', 'line-recorded', 'line-changed'])(
    'is posted once, and right, when its process died at %s (P53)',
    async (at) => {
      const clock = testClock(1_000);
      const [journal, there] = [await opened(clock), place()];
      const dead = linesOf(there, (step) => (step === at ? new Promise<void>(quiet) : undefined));
      await begin(journal, '1/a');
      void dead.settle(journal).then(() => begin(journal, '1/b').then(() => dead.settle(journal)));
      await new Promise((resolve) => setTimeout(resolve, 20));
      clock.advance(PATIENCE_MS);

      expect(await linesOf(there).settle(journal)).toBe('paid');
      const both = 'Deploy 1/a. running, Deploy 1/b. running';
      const one = 'Deploy 1/a. running';
      expect(there.standing()).toEqual([at === 'line-changed' ? both : one]);
      expect(there.said).toHaveLength(1);
    },
  );

  it('stays due while Slack refuses it (P53)', async () => {
    const [journal, there] = [await opened(), place()];
    const { say } = there.surface;
    there.surface.say = () => Promise.reject(new Error('not now'));
    await begin(journal, '1/a');
    const lines = linesOf(there);

    expect(await lines.settle(journal)).toBe('owing');
    there.surface.say = say;
    expect(await lines.settle(journal)).toBe('paid');
    expect(there.said).toHaveLength(1);
  });
});

describe('the due lines of trust', () => {
  it('are one for each trust, with each of its calls (P53)', () => {
    const state = fold(started, turn(1, 'a', 'b', 'c'), onTrust('1/c'), onTrust('1/b', grantId(2)), onTrust('1/a'));

    const running = (call: string) => ({ summary: `Deploy ${call}.`, outcome: { type: 'running' } });
    const line = { tool: 'deploy', by: user('ANN'), shows: state.version };
    expect(owedLines(state)).toEqual([
      { ...line, trust: GRANT, calls: [running('1/c'), running('1/a')] },
      { ...line, trust: grantId(2), calls: [running('1/b')] },
    ]);
  });

  it('are none after the line is shown, and one again with each end and each new start of a call (P53, SURF-1)', () => {
    const { trusted: _, ...repeat } = { trusted: undefined, ...onTrust('1/a'), repeats: true as const };
    const lost: EntryBody = { type: 'call-unknown', call: '1/a', attempt: '1/a' };
    const begun = [started, turn(1, 'a'), onTrust('1/a'), posted] as const;
    const outcomes = (...entries: EntryBody[]) =>
      owedLines(fold(...begun, ...entries)).flatMap(({ calls }) => calls.map(({ outcome }) => outcome.type));

    expect(outcomes(shown(1))).toEqual([]);
    expect(outcomes(shown(1), lost)).toEqual(['unknown']);
    expect(outcomes(shown(1), lost, shown(1))).toEqual([]);
    expect(outcomes(shown(1), lost, shown(1), repeat as EntryBody)).toEqual(['running']);
  });

  it('are one again when a painting came late and covers a newer one (SURF-1)', () => {
    const lost: EntryBody = { type: 'call-unknown', call: '1/a', attempt: '1/a' };
    const at = (shows: number): EntryBody => ({ type: 'line-shown', grant: GRANT, calls: 1, shows });
    const begun = [started, turn(1, 'a'), onTrust('1/a'), posted, lost] as const;

    expect(owedLines(fold(...begun, at(5)))).toEqual([]);
    expect(owedLines(fold(...begun, at(5), at(4)))).toHaveLength(1);
  });

  it('are none for an older journal, and none when the app was removed (P53)', () => {
    const { trusted: _, ...before } = { trusted: undefined, ...onTrust('1/a') };
    expect(owedLines(fold(started, turn(1, 'a'), before as EntryBody))).toEqual([]);
    expect(owedLines(fold(started, turn(1, 'a'), onTrust('1/a'), { type: 'unheard' }))).toEqual([]);
  });
});
