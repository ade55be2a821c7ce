import { expect, it } from 'vitest';
import { testClock } from '../../../app/clock.ts';
import type { EntryBody } from '../../../app/journal/entries.ts';
import type { CardReceipt, Grant } from '../../../app/records.ts';
import { openRunJournal, type RunJournal } from '../../../app/run-journal.ts';
import { createPosts } from '../../../app/runs/posts.ts';
import { createTrustedLines, type TrustedLines } from '../../../app/runs/trusted-lines.ts';
import type { Post } from '../../../app/surface.ts';
import { grantId, HOUR_MS, runId, started, THREAD, turn, user } from '../../support/journal.ts';
import { createModelStore } from '../../support/model-store.ts';

const GRANT: Grant = {
  id: grantId(),
  team: THREAD.team,
  tool: 'deploy',
  definition: 'v1',
  offer: { line: 'deploy, any input', match: 'any', scope: 'thread', forMs: HOUR_MS },
  thread: THREAD,
  requester: user('ANN'),
  by: user('ANN'),
  uses: 0,
  givenAtMs: 0,
  untilMs: HOUR_MS,
};
const onTrust = (call: string): EntryBody => ({
  type: 'call-started',
  call,
  attempt: call,
  tool: 'deploy',
  digest: 'd',
  grant: { type: 'trust', grant: GRANT.id },
});

/** A place where people read: what stands there by its key, as Slack keeps it. */
function place() {
  const posts = new Map<string, string>();
  const said: string[] = [];
  const put = (post: Post): CardReceipt => {
    posts.set(post.key, post.text);
    return { channel: THREAD.channel, ts: post.key };
  };
  return {
    said,
    standing: () => [...posts.values()],
    surface: {
      say: async (_thread: unknown, post: Post) => {
        if (post.maybePosted && posts.has(post.key)) return { channel: THREAD.channel, ts: post.key };
        said.push(post.text);
        return put(post);
      },
      amend: async (_thread: unknown, _card: CardReceipt, post: Post) => void put(post),
    },
  };
}

type Place = ReturnType<typeof place>;

const quiet = () => {};
const ALONE = { by: 'one', patienceMs: 0 };
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

async function opened(): Promise<RunJournal> {
  let ids = 0;
  const clock = testClock(1_000);
  const journal = openRunJournal({ store: createModelStore(clock), entryId: () => `id-${++ids}`, clock }, runId());
  await journal.commit(() => ({ entries: [started, turn(1, 'a', 'b', 'c')], items: ['{}', '{}'], result: undefined }));
  return journal;
}

async function begin(journal: RunJournal, lines: TrustedLines, there: Place, call: string): Promise<void> {
  await journal.commit(() => ({ entries: [onTrust(call)], result: undefined }));
  lines.ran({ tool: 'deploy', summary: `Deploy ${call}.`, grant: GRANT });
  await expect.poll(() => there.standing().at(-1)).toContain(`Deploy ${call}.`);
}

it('P53 the second call on one trust is counted on the line of the first', async () => {
  const [journal, there] = [await opened(), place()];
  const lines = createTrustedLines(
    { posts: createPosts({ surface: there.surface, log, step: quiet, posting: ALONE }, journal), log },
    journal,
  );

  await begin(journal, lines, there, '1/a');
  expect(there.standing()).toEqual(['Running `deploy` without asking. Deploy 1/a.']);
  await begin(journal, lines, there, '1/b');

  expect(there.standing()).toEqual(['Running `deploy` without asking: 2 calls in this run. The latest: Deploy 1/b.']);
  expect(there.said).toHaveLength(1);
});

it('whoever died before the receipt of the line was kept leaves no second line', async () => {
  const [journal, there] = [await opened(), place()];
  const step = (at: string) => (at === 'post-sent' ? new Promise<void>(quiet) : undefined);
  const dead = { surface: there.surface, log, step, posting: { by: 'whoever died', patienceMs: 0 } };
  await begin(journal, createTrustedLines({ posts: createPosts(dead, journal), log }, journal), there, '1/a');
  expect(journal.state()?.posted.size).toBe(0);

  const next = createPosts({ surface: there.surface, log, step: quiet, posting: ALONE }, journal);
  const lines = createTrustedLines({ posts: next, log }, journal);
  await begin(journal, lines, there, '1/b');
  await begin(journal, lines, there, '1/c');

  expect(there.standing()).toEqual(['Running `deploy` without asking: 3 calls in this run. The latest: Deploy 1/c.']);
  expect(there.said).toHaveLength(1);
});
