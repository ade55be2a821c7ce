import { given } from '../../app/given.ts';
import { checkMessageBlocks } from '../block-kit/check.ts';
import { type ApiJson, isObject } from '../json.ts';
import { APP, directChannel } from '../people.ts';
import type { SlackMessage, ThreadName } from '../records.ts';
import { messageKey, type State } from '../state.ts';
import { showAnswer } from '../web-api/respond.ts';
import { messageOnWire, viewOnWire } from '../wire.ts';
import {
  type ActOutcome,
  type ActStage,
  answerAddress,
  channelOnPayload,
  interaction,
  noticeFromSlack,
  tellApp,
  visibleChannel,
} from './act.ts';
import { asTyped } from './messages.ts';
import { contextOf } from './open-beside.ts';

/** Slack refuses some commands itself; the app never hears of those. */
export type Commanded = (ActOutcome & { readonly type: 'sent' }) | { readonly type: 'refused'; readonly text: string };

export async function command(
  stage: ActStage,
  user: string,
  channelId: string,
  name: string,
  text = '',
  options: { readonly thread?: ThreadName } = {},
): Promise<Commanded> {
  const channel = visibleChannel(stage, user, channelId);
  const refusal = refusalOf(stage, name, options.thread);
  if (refusal !== undefined) {
    const threadTs = options.thread?.threadTs ?? options.thread?.ts;
    const thread = given({ threadTs });
    noticeFromSlack(stage, { to: user, channel: channelId, text: refusal, ...thread });
    return { type: 'refused', text: refusal };
  }
  const { trigger_id: trigger, user: person } = interaction(stage, user);
  const delivery = stage.send('slash_commands', {
    token: 'sandbox',
    team_id: stage.state.team,
    team_domain: 'demo',
    channel_id: channel.id,
    channel_name: channel.type === 'im' ? 'directmessage' : channel.name,
    user_id: user,
    user_name: isObject(person) ? person.name : '',
    command: name,
    text: withNames(stage.state, asTyped(stage.state, text)),
    api_app_id: APP,
    ...given({ enterprise_id: stage.state.organisation?.id }),
    is_enterprise_install: `${stage.state.organisation !== undefined}`,
    response_url: answerAddress(stage, { user, channel: channel.id }),
    trigger_id: trigger,
  });
  const acknowledgement = await delivery.settled;
  if (acknowledgement.type === 'unanswered') {
    const problem = `${name} failed with the error "operation_timeout"`;
    noticeFromSlack(stage, { to: user, channel: channelId, text: problem });
  } else {
    showAcknowledged(stage, user, channelId, acknowledgement.body);
  }
  return { type: 'sent', delivery, acknowledgement };
}

function refusalOf(stage: ActStage, name: string, thread: ThreadName | undefined): string | undefined {
  if (thread !== undefined) return `${name} is not supported in threads. Sorry!`;
  if (stage.commands?.includes(name) === false) {
    return `${name} is not a valid command. In Slack, all messages that start with the "/" character are interpreted as commands.`;
  }
  return undefined;
}

/** With names escaped, a command names a person as `<@id|name>`. */
function withNames(state: State, text: string): string {
  return text.replaceAll(/<@(\w+)>/g, (_, id: string) => `<@${id}|${state.people.get(id)?.name ?? ''}>`);
}

/** The body of a command's acknowledgement is its answer: plain text, or a message, private unless it says otherwise. */
function showAcknowledged(stage: ActStage, user: string, channel: string, body: ApiJson | undefined): void {
  const { state } = stage;
  const answer = typeof body === 'string' ? { text: body } : isObject(body) ? body : {};
  const text = typeof answer.text === 'string' ? answer.text : '';
  const checked = checkMessageBlocks(answer.blocks ?? []);
  const blocks = checked.type === 'fine' ? checked.value : [];
  if (text === '' && blocks.length === 0) return;
  showAnswer(state, { channel, user }, answer, { text, blocks });
}

/** A person chooses an app's shortcut in the menu of a message. */
export async function shortcut(
  stage: ActStage,
  user: string,
  message: SlackMessage,
  callbackId: string,
): Promise<ActOutcome> {
  const channel = visibleChannel(stage, user, message.channel);
  const now = stage.state.messages.get(messageKey(message)) ?? message;
  const delivery = stage.send('interactive', {
    type: 'message_action',
    callback_id: callbackId,
    ...interaction(stage, user),
    // Here Slack does not name the team of the person.
    user: { id: user, name: stage.state.people.get(user)?.name ?? '' },
    action_ts: stage.state.nextTs(),
    message_ts: now.ts,
    channel: channelOnPayload(channel),
    message: messageOnWire(stage.state, now, { metadata: true }),
    response_url: answerAddress(stage, { user, channel: channel.id, messageTs: now.ts }),
  });
  return { delivery, acknowledgement: await delivery.settled };
}

/** A person opens the app's page, on its Home or its Messages tab. */
export function openHome(stage: ActStage, user: string, tab: 'home' | 'messages' = 'home'): void {
  const view = stage.state.homes.get(user);
  tellApp(stage, {
    type: 'app_home_opened',
    user,
    channel: directChannel(user),
    tab,
    event_ts: stage.state.nextTs(),
    ...(tab === 'home' ? {} : { context: contextOf(stage.state, user) }),
    ...(view === undefined || tab === 'messages' ? {} : { view: viewOnWire(view, stage.state.team) }),
  });
}
