import { given } from '../../app/given.ts';
import type { Block } from '../block-kit/blocks.ts';
import { checkMessageBlocks } from '../block-kit/check.ts';
import { type ApiJson, isObject } from '../json.ts';
import type { SlackMessage, Stream, Task } from '../records.ts';
import { putMessage } from '../state.ts';
import { messageOnWire } from '../wire.ts';
import { blocks, type Call, flag, json, type Method, needText, object, PlatformError, text } from './call.ts';
import { emptyMessage, isAlive, ownMessage, tell, threadOf, writableChannel } from './chat.ts';

/** Answers that people read while they are written. A stream ends some minutes after it began, even if it still grows. */

const PIECE_MOST = 12_000;
const DETAIL_MOST = 256;

export const startStream: Method = (call) => {
  const channel = writableChannel(call);
  needText(call, 'thread_ts');
  if (channel.type !== 'im') {
    if (text(call, 'recipient_user_id') === undefined) throw new PlatformError('missing_recipient_user_id');
    if (text(call, 'recipient_team_id') === undefined) throw new PlatformError('missing_recipient_team_id');
  }
  const empty: Stream = { open: true, startedAtMs: call.state.now(), markdown: '', tasks: [], blocks: [] };
  const message = putMessage(
    call.state,
    shown({
      ...emptyMessage(channel.id, call.state.nextTs()),
      ...threadOf(call, channel),
      stream: written(call, empty),
    }),
  );
  return { channel: channel.id, ts: message.ts };
};

export const appendStream: Method = (call) => {
  const channel = writableChannel(call);
  const { message, stream } = openStream(call, channel.id);
  putMessage(call.state, shown({ ...message, stream: written(call, stream) }));
  return { channel: channel.id, ts: message.ts };
};

export const stopStream: Method = (call) => {
  const channel = writableChannel(call);
  const { message, stream } = openStream(call, channel.id);
  const metadata = object(call, 'metadata');
  const more = blocks(call) ?? [];
  const last = written(call, stream);
  const closed = putMessage(
    call.state,
    shown({
      ...message,
      stream: { ...last, open: false, blocks: [...last.blocks, ...more] },
      ...given({ metadata }),
    }),
  );
  const status = text(call, 'session_status');
  if (status === 'processing' || status === 'suspended' || status === 'active' || status === 'closed') {
    const name = `${channel.id}:${closed.threadTs ?? closed.ts}`;
    call.state.sessions.set(name, { ...call.state.sessions.get(name), status });
    call.state.changed();
  }
  tell(call, closed);
  return { channel: channel.id, ts: closed.ts, message: messageOnWire(call.state, closed, { metadata: true }) };
};

function openStream(call: Call, channel: string): { readonly message: SlackMessage; readonly stream: Stream } {
  const message = ownMessage(call, channel, 'message_not_owned_by_app');
  const { stream } = message;
  if (stream === undefined || !isAlive(call, stream)) {
    throw new PlatformError('message_not_in_streaming_state');
  }
  return { message, stream };
}

/** The stream with what this call brings: plain Markdown, or chunks of several kinds in order. */
function written(call: Call, stream: Stream): Stream {
  for (const name of ['unfurl_links', 'unfurl_media']) flag(call, name);
  const markdown = text(call, 'markdown_text') ?? '';
  if (markdown.length > PIECE_MOST) throw new PlatformError('msg_too_long');
  const chunks = json(call, 'chunks') ?? [];
  if (!Array.isArray(chunks)) throw new PlatformError('invalid_chunks');
  return chunks.reduce<Stream>(withChunk, { ...stream, markdown: stream.markdown + markdown });
}

function withChunk(stream: Stream, chunk: ApiJson): Stream {
  if (!isObject(chunk)) throw new PlatformError('invalid_chunks');
  if (chunk.type === 'markdown_text' && typeof chunk.text === 'string') {
    return { ...stream, markdown: stream.markdown + chunk.text };
  }
  if (chunk.type === 'plan_update' && typeof chunk.title === 'string') return { ...stream, title: chunk.title };
  if (chunk.type === 'task_update') return { ...stream, tasks: withTask(stream.tasks, taskFrom(chunk)) };
  if (chunk.type === 'blocks') {
    const checked = checkMessageBlocks(chunk.blocks ?? null);
    if (checked.type === 'refused') throw new PlatformError(checked.error, checked.problems);
    return { ...stream, blocks: [...stream.blocks, ...checked.value] };
  }
  throw new PlatformError('invalid_chunks');
}

function taskFrom(chunk: { readonly [key: string]: ApiJson | undefined }): Task {
  const { id, title, status, details, output } = chunk;
  const known = status === 'pending' || status === 'in_progress' || status === 'complete' || status === 'error';
  if (typeof id !== 'string' || typeof title !== 'string' || !known) throw new PlatformError('invalid_chunks');
  for (const detail of [details, output]) {
    if (typeof detail === 'string' && detail.length > DETAIL_MOST) throw new PlatformError('invalid_chunks');
  }
  return {
    ...{ id, title, status },
    ...(typeof details === 'string' ? { details } : {}),
    ...(typeof output === 'string' ? { output } : {}),
  };
}

function withTask(tasks: readonly Task[], task: Task): readonly Task[] {
  return tasks.some(({ id }) => id === task.id)
    ? tasks.map((old) => (old.id === task.id ? { ...old, ...task } : old))
    : [...tasks, task];
}

/** A streamed message as blocks, so that it is read and drawn like every other. */
function shown(message: SlackMessage): SlackMessage {
  const { stream } = message;
  if (stream === undefined) return message;
  const tasks: readonly Block[] = stream.tasks.map((task) => ({
    type: 'task_card',
    block_id: `task-${task.id}`,
    task_id: task.id,
    title: task.title,
    status: task.status,
    ...(task.details === undefined ? {} : { details: richText(task.details) }),
    ...(task.output === undefined ? {} : { output: richText(task.output) }),
  }));
  const text: readonly Block[] =
    stream.markdown === '' ? [] : [{ type: 'markdown', block_id: 'streamed', text: stream.markdown }];
  return { ...message, text: stream.markdown, blocks: [...tasks, ...text, ...stream.blocks] };
}

function richText(plain: string): Extract<Block, { type: 'rich_text' }> {
  return {
    type: 'rich_text',
    elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: plain }] }],
  };
}
