import { given } from '../../app/given.ts';
import type { Block } from '../block-kit/blocks.ts';
import { elementsOf } from '../block-kit/check.ts';
import type { Interactive } from '../block-kit/elements.ts';
import { type ApiObject, asJson } from '../json.ts';
import { APP } from '../people.ts';
import type { Ephemeral, SlackMessage, View } from '../records.ts';
import { findMessage, type State } from '../state.ts';
import { changeView } from '../web-api/views.ts';
import { messageOnWire, viewOnWire } from '../wire.ts';
import {
  type ActOutcome,
  type ActStage,
  answerAddress,
  channelOnPayload,
  interaction,
  noticeFromSlack,
  visibleChannel,
} from './act.ts';
import { type Chosen, fieldsFor, keepsValue } from './values.ts';

export interface PressOptions {
  /** Which of several elements with the same action id: the one with this value. With `forged`, the value sent. */
  readonly value?: string;
  /** What is chosen in a menu: an option's value or its words. Several for a menu of many. */
  readonly option?: Chosen;
  readonly blockId?: string;
  /** Sends the press though nothing like it is drawn, as a caller with a copied payload could. */
  readonly forged?: boolean;
}

export type Pressable = SlackMessage | Ephemeral | View;

/** A person presses a button or chooses in a menu that is drawn now. A confirmation is answered with yes. */
export async function press(
  stage: ActStage,
  user: string,
  target: Pressable,
  actionId: string,
  options: PressOptions = {},
): Promise<ActOutcome> {
  const drawn = drawnNow(stage.state, target);
  const found = findElement(drawn?.blocks ?? [], actionId, options);
  if (found === undefined && options.forged !== true) throw notDrawn(drawn, actionId);
  const action = found === undefined ? forgedAction(actionId, options) : actionOf(found, options);
  const place = placeOf(stage, user, drawn ?? target, found, options);
  const delivery = stage.send('interactive', {
    type: 'block_actions',
    ...interaction(stage, user),
    ...place,
    actions: [{ ...action, action_ts: stage.state.nextTs() }],
  });
  const acknowledgement = await delivery.settled;
  if (acknowledgement.type === 'unanswered' && 'channel' in target) {
    const text = 'This app did not answer in time. Try again, or ask the people who run it.';
    noticeFromSlack(stage, { to: user, channel: target.channel, text, ...threadOf(target) });
  }
  return { delivery, acknowledgement };
}

function threadOf(target: SlackMessage | Ephemeral): { readonly threadTs?: string } {
  return given({ threadTs: target.threadTs });
}

/** What a message or view shows at this moment, which may not be what the caller holds. */
function drawnNow(state: State, target: Pressable): (Pressable & { readonly blocks: readonly Block[] }) | undefined {
  if ('hash' in target) {
    const open = state.modals.get(target.user)?.find(({ id }) => id === target.id);
    const view = open ?? (state.homes.get(target.user)?.id === target.id ? state.homes.get(target.user) : undefined);
    return view === undefined ? undefined : { ...view, blocks: view.content.blocks };
  }
  if ('to' in target) return state.ephemerals.get(target.id);
  return findMessage(state, target.channel, target.ts);
}

interface Found {
  readonly block: Block;
  readonly element: Interactive;
}

function findElement(blocks: readonly Block[], actionId: string, options: PressOptions): Found | undefined {
  const candidates = blocks
    .filter((block) => options.blockId === undefined || block.block_id === options.blockId)
    .flatMap((block) => elementsOf(block).map((element) => ({ block, element })))
    .filter(({ element }) => element.action_id === actionId);
  if (options.value === undefined) return candidates[0];
  return candidates.find(({ element }) => element.type === 'button' && element.value === options.value);
}

function notDrawn(drawn: { readonly blocks: readonly Block[] } | undefined, actionId: string): Error {
  if (drawn === undefined) return new Error(`${actionId} cannot be pressed: what it stood on is gone.`);
  const there = drawn.blocks.flatMap(elementsOf).map((element) => element.action_id ?? element.type);
  return new Error(`${actionId} is not drawn there. Drawn now: ${there.join(', ') || 'nothing to press'}.`);
}

function actionOf({ block, element }: Found, options: PressOptions): ApiObject {
  const label = 'text' in element ? { text: asJson(element.text) } : {};
  return {
    type: element.type,
    action_id: element.action_id,
    block_id: block.block_id,
    ...label,
    ...fieldsFor(element, options.option ?? ''),
  };
}

function forgedAction(actionId: string, options: PressOptions): ApiObject {
  const base = { action_id: actionId, block_id: options.blockId ?? 'forged' };
  if (options.option === undefined) return { ...base, type: 'button', value: options.value ?? '' };
  const value = typeof options.option === 'string' ? options.option : (options.option[0] ?? '');
  return { ...base, type: 'overflow', selected_option: { text: { type: 'plain_text', text: value }, value } };
}

/** Where the press happened, in the words Slack uses for each place. */
function placeOf(
  stage: ActStage,
  user: string,
  target: Pressable,
  found: Found | undefined,
  options: PressOptions,
): ApiObject {
  const { state } = stage;
  if ('hash' in target) {
    const touched = found === undefined ? target : touch(state, target, found, options);
    const view = viewOnWire(touched, stage.state.team);
    return { view, container: { type: 'view', view_id: target.id } };
  }
  const forgedFrom = options.forged === true ? stage.state.channels.get(target.channel) : undefined;
  const channel = forgedFrom ?? visibleChannel(stage, user, target.channel);
  const thread = given({ thread_ts: target.threadTs });
  const ephemeral = 'to' in target;
  const container = {
    type: 'message',
    message_ts: target.ts,
    channel_id: channel.id,
    is_ephemeral: ephemeral,
    ...thread,
  };
  const responseUrl = answerAddress(stage, {
    user,
    channel: channel.id,
    ...(ephemeral ? { ephemeralId: target.id } : { messageTs: target.ts }),
  });
  return {
    container: { ...container, app_id: APP },
    channel: channelOnPayload(channel),
    ...(ephemeral ? {} : { message: messageOnWire(state, target, { metadata: true }) }),
    state: { values: {} },
    response_url: responseUrl,
  };
}

/** Menus in a view keep what was chosen in them. */
function touch(state: State, view: View, { block, element }: Found, options: PressOptions): View {
  if (!keepsValue(element) || block.block_id === undefined || element.action_id === undefined) return view;
  const value = { type: element.type, ...fieldsFor(element, options.option ?? '') };
  const values = { ...view.values, [block.block_id]: { ...view.values[block.block_id], [element.action_id]: value } };
  const touched = { ...view, values };
  changeView(state, touched);
  return touched;
}
