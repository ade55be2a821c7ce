import { beforeEach, describe, expect, it } from 'vitest';
import { testClock } from '../../../app/clock.ts';
import { UserId } from '../../../app/records/index.ts';
import {
  ClosedChannelError,
  RefusedPostError,
  RefusingWorkspaceError,
  UnreachableError,
} from '../../../app/surface.ts';
import { type Meaning, mayBeDone, meaningOf } from '../../../handlers/sender/codes.ts';
import { mayHaveArrived, refusalIn } from '../../../handlers/sender/errors.ts';
import { policyOf } from '../../../handlers/sender/rates.ts';
import { createSurface } from '../../../handlers/thread/thread.ts';
import { createSlackClient } from '../../../handlers/workspaces/client.ts';
import { DOCUMENTED } from '../../../sandbox/web-api/documented.ts';
import { type Reply, type SlackApi, slackApi, TOKEN } from '../../support/slack.ts';
import { timeRunsAhead } from '../../support/time-runs-ahead.ts';
import { ANN, pending, THREAD } from '../views/records.ts';

/** Every method that the bot calls, crossed with every code that Slack documents for it. */

let api: SlackApi;
beforeEach(() => {
  timeRunsAhead();
  api = slackApi();
});

const refused = (error: string): Reply => ({ type: 'json', body: { ok: false, error } });

/** A client of its own for each code: the sender keeps to Slack's rates, and one lane would hold up the later codes. */
function stageOf() {
  const errors: string[] = [];
  const nothing = () => {};
  const error = (message: string) => void errors.push(message);
  const log = { debug: nothing, info: nothing, warn: nothing, error };
  const client = createSlackClient({ botToken: TOKEN }, log);
  const fileLimits = { picture: 1, document: 1, text: 1 };
  return { client, errors, surface: createSurface({ client, log, clock: testClock(), fileLimits }) };
}

type Ended<Value> = { readonly value: Value } | { readonly error: unknown };
const ended = <Value>(work: Promise<Value>): Promise<Ended<Value>> =>
  work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

const BUG = 'Slack cannot read a call of the bot. This is a bug of the bot: please report it with this line.';
const SHUT =
  'Slack refuses a method in this workspace until a person acts: ask its administrators, or install the app again.';
/** What the people who run the bot have to read. */
const LOGGED: Readonly<Record<Meaning, readonly string[]>> = {
  passes: [],
  post: [],
  channel: [],
  workspace: [SHUT],
  ours: [BUG],
};

describe('a call to Slack', () => {
  it.each([...DOCUMENTED])(
    '%s has the effect that the table names, for each of its codes (SURF-3)',
    async (method, codes) => {
      const { repeatable } = policyOf(method);
      for (const code of codes) {
        const { client, errors } = stageOf();
        const before = api.to(method).length;
        api.next(method, refused(code));
        const end = await ended(client.apiCall(method, { channel: 'C1', ts: '1.0' }));
        const seen = { code, calls: api.to(method).length - before, ...told(end), logged: errors };

        const meaning = meaningOf(code);
        const again = meaning === 'passes' && mayBeDone(code) && repeatable;
        expect(seen).toEqual({
          code,
          calls: again ? 2 : 1,
          final: meaning === 'passes' ? undefined : meaning,
          inDoubt: !again && mayBeDone(code),
          // Whether the token is refused is what this method asks, and its caller says so.
          logged: method === 'auth.test' && meaning === 'workspace' ? [] : LOGGED[meaning],
        });
      }
    },
  );
});

function told(end: Ended<unknown>) {
  if ('value' in end) return { final: undefined, inDoubt: false };
  return { final: refusalIn(end.error)?.meaning, inDoubt: mayHaveArrived(end.error) };
}

const STREAM = { channel: THREAD.channel, ts: '1795251700.000009' };
const post = (more = {}) => ({ key: 'run:1', text: 'Done.', maybePosted: false, ...more });
const json = (body: Readonly<Record<string, unknown>>): Reply => ({ type: 'json', body });

type Written = ReturnType<typeof createSurface>;

/** A reply is begun as a stream. */
async function begun(surface: Written) {
  api.next('chat.startStream', json(STREAM));
  await surface.beginReply(THREAD, UserId.parse(ANN));
  return surface;
}

interface Way {
  readonly what: string;
  readonly method: string;
  readonly act: (surface: Written) => Promise<unknown>;
  /** What comes of the meaning of a code, or of the code itself. The way `passes` is that of a code that may have been done. */
  readonly ends: Readonly<Record<Meaning | 'undone', unknown>> & Readonly<Record<string, unknown>>;
}

const CLASSES = {
  ...{ post: 'RefusedPostError', channel: 'ClosedChannelError', workspace: 'RefusingWorkspaceError' },
  ...{ ours: 'RefusedPostError', undone: 'later' },
} as const;
const each = <Value>(value: Value) => ({ post: value, channel: value, workspace: value, ours: value });

const WAYS: readonly Way[] = [
  {
    ...{ what: 'a post', method: 'chat.postMessage', ends: { ...CLASSES, passes: 'posted' } },
    act: (surface) => surface.say(THREAD, post()).then(() => 'posted'),
  },
  {
    ...{ what: 'a search for a post', method: 'conversations.replies', ends: { ...CLASSES, passes: 'posted' } },
    act: (surface) => surface.say(THREAD, post({ maybePosted: true })).then(() => 'posted'),
  },
  {
    ...{ what: 'a painting', method: 'chat.update' },
    act: (surface) => surface.paintCard({ kind: 'approval', asks: pending() }, STREAM),
    ends: { ...each('refused'), message_not_found: 'gone', passes: 'painted', undone: 'later' },
  },
  {
    ...{ what: 'the change of a line', method: 'chat.update' },
    act: (surface) => surface.amend(THREAD, STREAM, post()).then(() => 'given up or done'),
    ends: { ...each('given up or done'), passes: 'given up or done', undone: 'later' },
  },
  {
    ...{ what: 'the end of a stream', method: 'chat.stopStream' },
    act: async (surface) => (await begun(surface)).say(THREAD, post({ into: STREAM })).then(() => 'posted'),
    ends: { ...each('posted'), passes: 'posted', undone: 'posted' },
  },
  {
    ...{ what: 'more of a stream', method: 'chat.appendStream' },
    act: async (surface) =>
      (await begun(surface)).growReply(STREAM, { text: 'One', calls: [] }, THREAD).then(() => 'tried'),
    ends: { ...each('tried'), passes: 'tried', undone: 'tried' },
  },
  {
    ...{ what: 'the beginning of a stream', method: 'chat.startStream' },
    act: (surface) =>
      surface.beginReply(THREAD, UserId.parse(ANN)).then((card) => (card ? 'edits' : 'when it is whole')),
    ends: {
      ...{ post: 'edits', channel: 'when it is whole', workspace: 'when it is whole', ours: 'edits' },
      // Only streams are refused here.
      ...{ missing_scope: 'edits', not_allowed_token_type: 'edits', no_permission: 'edits' },
      ...{ passes: 'edits', undone: 'edits', ratelimited: 'later', rate_limited: 'later' },
    },
  },
  {
    ...{ what: 'the removal of a message', method: 'chat.delete' },
    act: (surface) => surface.takeBack(THREAD, STREAM).then(() => 'given up'),
    ends: { ...each('given up'), passes: 'later', undone: 'later' },
  },
  {
    ...{ what: 'the status of a thread', method: 'agents.sessions.setStatus' },
    act: (surface) => surface.status(THREAD, 'processing').then(() => surface.statusShown(THREAD)),
    ends: { ...each(undefined), passes: undefined, undone: undefined },
  },
  ...['conversations.open', 'conversations.history'].map((method) => ({
    ...{ what: `a direct message after ${method}`, method },
    act: (surface: Written) =>
      surface.tellUnheard(UNHEARD).then(() => (api.to('chat.postMessage').length > 0 ? 'told' : 'given up')),
    ends: { ...each('given up'), passes: 'told', undone: 'later' },
  })),
];

const UNHEARD = {
  ...{ run: pending().run, thread: THREAD, requester: pending().requester, atMs: 0, why: 'Slack took no post.' },
};

describe('what the bot does in a thread', () => {
  it.each(WAYS)('$what ends as its code says, for each code of $method (SURF-3)', async ({ method, act, ends }) => {
    for (const code of DOCUMENTED.get(method) ?? []) {
      api = slackApi();
      const { surface } = stageOf();
      api.next(method, refused(code));
      api.next('conversations.open', json({ channel: { id: 'D1' } }));
      const end = await ended(act(surface));
      const meaning = meaningOf(code);
      const key = meaning === 'passes' && !mayBeDone(code) ? 'undone' : meaning;
      expect({ code, end: 'value' in end ? end.value : classOf(end.error) }).toEqual({
        code,
        end: ends[code] ?? ends[key],
      });
    }
  });
});

function classOf(error: unknown): string {
  if (!(error instanceof UnreachableError)) return 'later';
  return [ClosedChannelError, RefusedPostError, RefusingWorkspaceError].find((one) => error instanceof one)?.name ?? '';
}
