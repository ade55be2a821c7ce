import { TEAM } from '../support/slack.ts';
import { ANN, APPROVAL, THREAD, ZOE } from './views/records.ts';

/** What Slack sends, with the fields that a test is about. */

export const CARD = { channel: THREAD.channel, ts: '1795251601.000200' };
/** People choose their names: Zoe's id is no proof of Zoe. */
const OTHER = ZOE;
const TRIGGER = '1.2.trigger';
let presses = 0;
const RESPONSE_URL = 'https://hooks.slack.com/actions/T0DEMO0001/1/secret';

interface Pressed {
  readonly action: string;
  readonly value?: string;
  readonly by?: string;
  readonly option?: string;
  readonly blocks?: readonly unknown[];
  /** The id of the block that the button stands in. */
  readonly block?: string;
}

export function cardPress({
  action,
  value = APPROVAL,
  by = ANN,
  option,
  blocks = [],
  block = 'b',
}: Pressed): Readonly<Record<string, unknown>> {
  presses += 1;
  return {
    type: 'block_actions',
    user: { id: by, team_id: TEAM, username: OTHER, name: OTHER },
    team: { id: TEAM, domain: 'demo' },
    channel: { id: CARD.channel, name: 'ops' },
    message: { ts: CARD.ts, thread_ts: THREAD.ts, text: 'old', user: 'U0BOT00001', blocks },
    container: {
      type: 'message',
      message_ts: CARD.ts,
      channel_id: CARD.channel,
      thread_ts: THREAD.ts,
      is_ephemeral: false,
    },
    response_url: RESPONSE_URL,
    // Slack gives each press one of its own.
    trigger_id: `${presses}.2.trigger`,
    actions: [
      {
        type: option === undefined ? 'button' : 'overflow',
        action_id: action,
        block_id: block,
        action_ts: '1795251602.1',
        ...(option === undefined ? { value } : { selected_option: { value: option } }),
      },
    ],
  };
}

export function viewPress(
  { action, value = APPROVAL, by = ANN }: Pressed,
  page = 0,
): Readonly<Record<string, unknown>> {
  return {
    type: 'block_actions',
    user: { id: by, team_id: TEAM, username: OTHER, name: OTHER },
    team: { id: TEAM, domain: 'demo' },
    container: { type: 'view', view_id: 'V0VIEW0001' },
    view: {
      id: 'V0VIEW0001',
      hash: 'h7',
      type: 'modal',
      callback_id: 'approval_input',
      private_metadata: JSON.stringify({ page }),
    },
    trigger_id: TRIGGER,
    actions: [{ type: 'button', action_id: action, block_id: 'b', action_ts: '1795251602.1', value }],
  };
}

/** Chosen in the menu of a message. */
export function messageChoice(callback: string): Readonly<Record<string, unknown>> {
  return {
    type: 'message_action',
    callback_id: callback,
    user: { id: ANN, team_id: TEAM, username: OTHER, name: OTHER },
    team: { id: TEAM, domain: 'demo' },
    channel: { id: CARD.channel, name: 'ops' },
    message: { ts: CARD.ts, thread_ts: THREAD.ts, text: 'old', user: ANN },
    message_ts: CARD.ts,
    response_url: RESPONSE_URL,
    trigger_id: TRIGGER,
  };
}

interface FilledForm {
  readonly callback: string;
  readonly by?: string;
  /** Field by field; block and element have the same name. */
  readonly values: Readonly<Record<string, string | null>>;
  /** Fields in which something is chosen and not typed. */
  readonly chosen?: Readonly<Record<string, string>>;
  readonly memory?: unknown;
}

export const MEMORY = { approval: APPROVAL, card: CARD, threadTs: THREAD.ts };

export function submission({ callback, by = ANN, values, chosen = {}, memory = MEMORY }: FilledForm) {
  const typed = Object.entries(values).map(([field, value]) => [
    field,
    { [field]: { type: 'plain_text_input', value } },
  ]);
  const picked = Object.entries(chosen).map(([field, value]) => [
    field,
    { [field]: { type: 'radio_buttons', selected_option: { text: { type: 'plain_text', text: value }, value } } },
  ]);
  return {
    type: 'view_submission',
    user: { id: by, team_id: TEAM, username: OTHER, name: OTHER },
    team: { id: TEAM, domain: 'demo' },
    trigger_id: TRIGGER,
    view: {
      id: 'V0VIEW0001',
      type: 'modal',
      callback_id: callback,
      private_metadata: JSON.stringify(memory),
      state: { values: Object.fromEntries([...typed, ...picked]) },
    },
  };
}

export function command(name: string, text: string): Readonly<Record<string, unknown>> {
  return {
    command: name,
    text,
    user_id: ANN,
    channel_id: THREAD.channel,
    team_id: TEAM,
    trigger_id: TRIGGER,
    response_url: RESPONSE_URL,
  };
}
