import { given } from '../../app/given.ts';
import { checkMessageBlocks } from '../block-kit/check.ts';
import { type ApiJson, type ApiObject, isObject } from '../json.ts';
import { BOT } from '../people.ts';
import type { SlackMessage } from '../records.ts';
import { type AnswerAddress, findMessage, messageKey, putEphemeral, putMessage, type State } from '../state.ts';
import { emptyMessage } from './chat.ts';

export interface MethodAnswer {
  readonly status: number;
  readonly body: string;
}

/** A `response_url`: five uses in thirty minutes, each of them a message, a replacement or a removal. */
export function respond(state: State, id: string, body: ApiJson | undefined): MethodAnswer {
  const address = state.answerAddresses.get(id);
  if (address === undefined) return { status: 404, body: 'invalid_url' };
  if (state.now() > address.expiresAtMs) return { status: 404, body: 'expired_url' };
  if (address.usesLeft === 0) return { status: 404, body: 'used_url' };
  if (!isObject(body)) return { status: 400, body: 'invalid_payload' };
  state.answers.push(body);
  const checked = checkMessageBlocks(body.blocks ?? []);
  if (checked.type === 'refused') return { status: 400, body: checked.error };
  const text = typeof body.text === 'string' ? body.text : '';
  state.answerAddresses.set(id, { ...address, usesLeft: address.usesLeft - 1 });
  if (body.delete_original === true) return removeOriginal(state, address);
  if (text === '' && checked.value.length === 0) return { status: 400, body: 'no_text' };
  const content = { text, blocks: checked.value };
  if (body.replace_original === true) return replaceOriginal(state, address, content);
  const threadTs = typeof body.thread_ts === 'string' ? body.thread_ts : undefined;
  const thread = given({ threadTs });
  showAnswer(state, address, body, { ...content, ...thread });
  return { status: 200, body: 'ok' };
}

type Content = Pick<SlackMessage, 'text' | 'blocks' | 'threadTs'>;

/** What an app answers to a press or a command: private, unless it says otherwise. */
export function showAnswer(
  state: State,
  { channel, user }: Pick<AnswerAddress, 'channel' | 'user'>,
  { response_type: type }: ApiObject,
  content: Content,
): void {
  if (type === 'in_channel') putMessage(state, { ...emptyMessage(channel, state.nextTs()), ...content });
  else putEphemeral(state, { channel, to: user, from: BOT, ...content });
}

function replaceOriginal(state: State, address: AnswerAddress, content: Content): MethodAnswer {
  const ephemeral = state.ephemerals.get(address.ephemeralId ?? '');
  const message = findMessage(state, address.channel, address.messageTs ?? '');
  if (ephemeral !== undefined) state.ephemerals.set(ephemeral.id, { ...ephemeral, ...content });
  else if (message !== undefined) {
    const earlier = [...message.earlier, { text: message.text, blocks: message.blocks }];
    putMessage(state, { ...message, ...content, editedTs: state.nextTs(), earlier });
  } else return { status: 404, body: 'message_not_found' };
  state.changed();
  return { status: 200, body: 'ok' };
}

function removeOriginal(state: State, address: AnswerAddress): MethodAnswer {
  const gone =
    state.ephemerals.delete(address.ephemeralId ?? '') ||
    state.messages.delete(messageKey({ channel: address.channel, ts: address.messageTs ?? '' }));
  state.changed();
  return gone ? { status: 200, body: 'ok' } : { status: 404, body: 'message_not_found' };
}
