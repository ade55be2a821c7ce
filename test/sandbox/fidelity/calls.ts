import { type ApiObject, at, textAt } from '../../../sandbox/json.ts';
import type { Side } from './sides.ts';

/** What both stand-ins are asked, in this order. A later call may use what an earlier one answered. */
export interface Call {
  readonly name: string;
  readonly method: string;
  readonly fields: (side: Side, earlier: Earlier) => ApiObject | Promise<ApiObject>;
  /** What else of the answer has to be the same. */
  readonly see?: (answer: ApiObject) => unknown;
}

/** The answers so far, by the name of the call. */
export type Earlier = (name: string) => ApiObject;

const called = (name: string, method: string, fields: Call['fields'], see?: Call['see']): Call => ({
  ...{ name, method, fields },
  ...(see === undefined ? {} : { see }),
});
const none = () => ({});
const texts = ({ messages }: ApiObject) =>
  Array.isArray(messages) ? messages.map((message) => at(message, 'text')) : undefined;
const ofMessage =
  (...path: readonly string[]) =>
  ({ message }: ApiObject) =>
    at(message, ...path);

const words = (text: string) => ({ type: 'plain_text', text });
const section = (text: string): ApiObject => ({ type: 'section', text: words(text) });
const modal = (more: ApiObject = {}): ApiObject => ({
  type: 'modal',
  title: words('T'),
  blocks: [section('x')],
  ...more,
});

const WHO: readonly Call[] = [
  called('the bot asks who it is', 'auth.test', none),
  called('an unknown token asks who it is', 'auth.test', () => ({ token: 'xoxb-unknown' })),
  called('a token without the scope asks', 'team.info', none, ({ needed }) => needed),
  called(
    'a person',
    'users.info',
    ({ ann }) => ({ user: ann }),
    ({ user }) => at(user, 'name'),
  ),
  called('an unknown person', 'users.info', () => ({ user: 'U0NOBODY01' })),
  called('everybody', 'users.list', none),
  called(
    'a channel',
    'conversations.info',
    ({ ops }) => ({ channel: ops }),
    ({ channel }) => at(channel, 'is_channel'),
  ),
  called('an unknown channel', 'conversations.info', () => ({ channel: 'C0NOWHERE1' })),
  called('the members of a channel', 'conversations.members', ({ ops }) => ({ channel: ops })),
  called('a direct conversation', 'conversations.open', ({ wes }) => ({ users: wes })),
  called(
    'the same conversation again',
    'conversations.open',
    ({ wes }) => ({ users: wes }),
    (answer) => [answer.no_op, answer.already_open],
  ),
  called('a conversation with an unknown person', 'conversations.open', () => ({ users: 'U0NOBODY01' })),
  called('a conversation with no person', 'conversations.open', none),
];

const POSTS: readonly Call[] = [
  called('a post', 'chat.postMessage', ({ ops }) => ({ channel: ops, text: 'root' }), ofMessage('text')),
  called('a reply', 'chat.postMessage', ({ ops }, earlier) => ({
    ...{ channel: ops, text: 'reply' },
    thread_ts: textAt(earlier('a post'), 'ts'),
  })),
  called('a post with blocks', 'chat.postMessage', ({ ops }) => ({ channel: ops, text: 'b', blocks: [section('b')] })),
  called('a post with Markdown', 'chat.postMessage', ({ ops }) => ({ channel: ops, markdown_text: '*b*' })),
  called('a post to a person', 'chat.postMessage', ({ ben }) => ({ channel: ben, text: 'hello' })),
  called('a post without text', 'chat.postMessage', ({ ops }) => ({ channel: ops })),
  called('a post without a channel', 'chat.postMessage', () => ({ text: 'x' })),
  called('a post in an unknown channel', 'chat.postMessage', () => ({ channel: 'C0NOWHERE1', text: 'x' })),
  called('a post where the bot is not', 'chat.postMessage', ({ elsewhere }) => ({ channel: elsewhere, text: 'x' })),
  called('a post in a thread that is not there', 'chat.postMessage', ({ ops }) => ({
    ...{ channel: ops, text: 'x', thread_ts: '1.000001' },
  })),
  called('a post with blocks that are none', 'chat.postMessage', ({ ops }) => ({
    ...{ channel: ops, text: 'x', blocks: [{ type: 'nonsense' }] },
  })),
  called('a post with metadata that are none', 'chat.postMessage', ({ ops }) => ({
    ...{ channel: ops, text: 'x', metadata: { event_type: 1 } },
  })),
  called('a post that is too long', 'chat.postMessage', ({ ops }) => ({ channel: ops, text: 'x'.repeat(40_001) })),
  called('a word to one person', 'chat.postEphemeral', ({ ops, ann }) => ({ channel: ops, user: ann, text: 'psst' })),
  called('a word to an unknown person', 'chat.postEphemeral', ({ ops }) => ({
    ...{ channel: ops, user: 'U0NOBODY01', text: 'psst' },
  })),
  called('a link', 'chat.getPermalink', ({ ops }, earlier) => ({
    ...{ channel: ops, message_ts: textAt(earlier('a post'), 'ts') },
  })),
  called('a link to nothing', 'chat.getPermalink', ({ ops }) => ({ channel: ops, message_ts: '1.000001' })),
];

const CHANGES: readonly Call[] = [
  called(
    'an edit',
    'chat.update',
    ({ ops }, earlier) => ({ channel: ops, ts: textAt(earlier('a post'), 'ts'), text: 'edited' }),
    ({ text }) => text,
  ),
  called(
    'an edit without blocks of a post with blocks',
    'chat.update',
    ({ ops }, earlier) => ({ channel: ops, ts: textAt(earlier('a post with blocks'), 'ts'), text: 'c' }),
    (answer) => at(answer, 'message', 'blocks', 0, 'type'),
  ),
  called('an edit of nothing', 'chat.update', ({ ops }) => ({ channel: ops, ts: '1.000001', text: 'x' })),
  called('an edit of the words of a person', 'chat.update', async ({ ops, writtenByAnn }) => ({
    ...{ channel: ops, ts: await writtenByAnn(), text: 'x' },
  })),
  called('an edit that names a person as the channel', 'chat.update', ({ ben }, earlier) => ({
    ...{ channel: ben, ts: textAt(earlier('a post to a person'), 'ts'), text: 'x' },
  })),
  called('an edit in the direct conversation', 'chat.update', (_, earlier) => ({
    ...{ channel: textAt(earlier('a post to a person'), 'channel'), ts: textAt(earlier('a post to a person'), 'ts') },
    text: 'x',
  })),
  called('a reaction', 'reactions.add', ({ ops }, earlier) => ({
    ...{ channel: ops, timestamp: textAt(earlier('a post'), 'ts'), name: 'eyes' },
  })),
  called('the same reaction again', 'reactions.add', ({ ops }, earlier) => ({
    ...{ channel: ops, timestamp: textAt(earlier('a post'), 'ts'), name: 'eyes' },
  })),
  called('a reaction to nothing', 'reactions.add', ({ ops }) => ({
    channel: ops,
    timestamp: '1.000001',
    name: 'eyes',
  })),
  called('a reaction taken back', 'reactions.remove', ({ ops }, earlier) => ({
    ...{ channel: ops, timestamp: textAt(earlier('a post'), 'ts'), name: 'eyes' },
  })),
  called('a reaction taken back again', 'reactions.remove', ({ ops }, earlier) => ({
    ...{ channel: ops, timestamp: textAt(earlier('a post'), 'ts'), name: 'eyes' },
  })),
  called(
    'a thread',
    'conversations.replies',
    ({ ops }, earlier) => ({ channel: ops, ts: textAt(earlier('a post'), 'ts') }),
    texts,
  ),
  called(
    'the first page of a thread',
    'conversations.replies',
    ({ ops }, earlier) => ({ channel: ops, ts: textAt(earlier('a post'), 'ts'), limit: 1 }),
    texts,
  ),
  called('a thread that is not there', 'conversations.replies', ({ ops }) => ({ channel: ops, ts: '1.000001' })),
  called('the latest of a channel', 'conversations.history', ({ ops }) => ({ channel: ops, limit: 1 }), texts),
  called('the history of an unknown channel', 'conversations.history', () => ({ channel: 'C0NOWHERE1' })),
  called('the history of a channel without the bot', 'conversations.history', ({ elsewhere }) => ({
    channel: elsewhere,
  })),
  called('a removal', 'chat.delete', ({ ops }, earlier) => ({
    ...{ channel: ops, ts: textAt(earlier('a post with blocks'), 'ts') },
  })),
  called('a removal of nothing', 'chat.delete', ({ ops }) => ({ channel: ops, ts: '1.000001' })),
  called('a removal of the words of a person', 'chat.delete', async ({ ops, writtenByAnn }) => ({
    ...{ channel: ops, ts: await writtenByAnn() },
  })),
];

const FILES: readonly Call[] = [
  called('a place for a file', 'files.getUploadURLExternal', () => ({ filename: 'a.txt', length: 3 })),
  called('a place for a file without a length', 'files.getUploadURLExternal', () => ({ filename: 'a.txt' })),
  called('a file that was sent', 'files.completeUploadExternal', async ({ ops }, earlier) => {
    const { upload_url: url, file_id: id } = earlier('a place for a file');
    await fetch(String(url), { method: 'POST', body: 'abc' });
    return { channel_id: ops, files: [{ id: String(id), title: 'A' }] };
  }),
  called('an unknown file is completed', 'files.completeUploadExternal', () => ({ files: [{ id: 'F0NOTHING1' }] })),
  called(
    'a file',
    'files.info',
    (_, earlier) => ({ file: textAt(earlier('a place for a file'), 'file_id') }),
    ({ file }) => [at(file, 'name'), at(file, 'title'), at(file, 'size')],
  ),
  called('an unknown file', 'files.info', () => ({ file: 'F0NOTHING1' })),
];

const VIEWS: readonly Call[] = [
  called('a Home tab', 'views.publish', ({ ann }) => ({
    user_id: ann,
    view: { type: 'home', blocks: [section('x')] },
  })),
  called('a Home tab over another one', 'views.publish', ({ ann }) => ({
    ...{ user_id: ann, view: { type: 'home', blocks: [section('x')] }, hash: 'old' },
  })),
  called('a Home tab of an unknown person', 'views.publish', () => ({
    ...{ user_id: 'U0NOBODY01', view: { type: 'home', blocks: [] } },
  })),
  called('a modal as a Home tab', 'views.publish', ({ ann }) => ({ user_id: ann, view: modal() })),
  called('a pushed modal with none below', 'views.push', async ({ trigger }) => ({
    ...{ trigger_id: await trigger(), view: modal() },
  })),
  called('a modal', 'views.open', async ({ trigger }) => ({
    ...{ trigger_id: await trigger(), view: modal({ external_id: 'one' }) },
  })),
  called('another modal of the same name', 'views.open', async ({ trigger }) => ({
    ...{ trigger_id: await trigger(), view: modal({ external_id: 'one' }) },
  })),
  called('a modal with an unknown trigger', 'views.open', () => ({ trigger_id: '1.2.three', view: modal() })),
  called('a modal without a title', 'views.open', async ({ trigger }) => ({
    ...{ trigger_id: await trigger(), view: { type: 'modal', blocks: [] } },
  })),
  called('a modal with blocks that are none', 'views.open', async ({ trigger }) => ({
    ...{ trigger_id: await trigger(), view: modal({ blocks: [{ type: 'nonsense' }] }) },
  })),
  called('a change of a modal', 'views.update', (_, earlier) => ({
    ...{ view_id: textAt(earlier('a modal'), 'view', 'id'), view: modal({ external_id: 'one' }) },
  })),
  called('a change of a modal that has changed', 'views.update', (_, earlier) => ({
    ...{ view_id: textAt(earlier('a modal'), 'view', 'id'), hash: 'old', view: modal() },
  })),
  called('a change of an unknown modal', 'views.update', () => ({ view_id: 'V0NOTHING1', view: modal() })),
];

export const CALLS: readonly Call[] = [...WHO, ...POSTS, ...CHANGES, ...FILES, ...VIEWS];

/** In a line: the code of a refusal, or which fields the answer has, and what else was looked at. */
export function outcomeOf({ see }: Call, answer: ApiObject): string {
  const seen = see === undefined ? '' : `: ${JSON.stringify(see(answer))}`;
  if (answer.ok !== true) return `${String(answer.error)}${seen}`;
  const fields = Object.keys(answer).filter((field) => !['ok', 'response_metadata', 'cache_ts'].includes(field));
  return `ok (${fields.toSorted().join(', ')})${seen}`;
}
