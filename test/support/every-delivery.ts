import { APP, BOT } from '../../sandbox/people.ts';
import type { Message } from '../../sandbox/records.ts';
import type { Persona } from './everybody.ts';

/** One row for each kind of delivery that the bot answers: how anybody could send it about somebody else's question. */
export interface DeliveryRow {
  /** What it can do at most, when the right person sends it. `ends`: no person sends it, but Slack, of the whole app. */
  readonly does: 'decides' | 'trusts' | 'stops' | 'shows' | 'ends';
  readonly send: (about: About) => Sendable;
  /** About a card with many calls on it, and not one. */
  readonly onList?: true;
}

export interface About {
  readonly by: Persona;
  readonly card: Message;
  readonly root: Message;
  readonly approval: string;
}

/** `event`: the body of an event. `interaction`: a payload. `command`: the fields of a form. */
export type Sendable =
  | { readonly type: 'event'; readonly event: Fields }
  | { readonly type: 'interaction'; readonly payload: Fields }
  | { readonly type: 'command'; readonly fields: Fields };

type Fields = Readonly<Record<string, unknown>>;

let count = 0;
const unique = (): string => {
  count += 1;
  return `1799999999.${`${count}`.padStart(6, '0')}`;
};

const person = ({ user, team }: Persona) => ({ id: user, username: 'x', name: 'x', team_id: team });
const common = (by: Persona) => ({
  user: person(by),
  team: { id: 'T0DEMO0001', domain: 'demo' },
  api_app_id: APP,
  token: 'x',
  trigger_id: unique(),
});

function press(actionId: string, option?: (approval: string) => string, value?: string): DeliveryRow['send'] {
  return ({ by, card, root, approval }) => {
    const action = { action_id: actionId, block_id: 'b', action_ts: unique() };
    const chosen = option?.(approval);
    const what =
      chosen === undefined
        ? { type: 'button', value: value ?? approval }
        : { type: 'overflow', selected_option: { text: { type: 'plain_text', text: 'x' }, value: chosen } };
    return {
      type: 'interaction',
      payload: {
        type: 'block_actions',
        ...common(by),
        channel: { id: card.channel, name: 'ops' },
        message: { ts: card.ts, thread_ts: root.ts, text: card.text, user: BOT, blocks: card.blocks },
        container: { type: 'message', message_ts: card.ts, channel_id: card.channel, thread_ts: root.ts },
        actions: [{ ...action, ...what }],
      },
    };
  };
}

/** Pressed in a modal: the full view of an input has an Approve of its own. */
function pressInView(actionId: string): DeliveryRow['send'] {
  return ({ by, approval }) => ({
    type: 'interaction',
    payload: {
      type: 'block_actions',
      ...common(by),
      container: { type: 'view', view_id: 'V0FORGED01' },
      view: {
        id: 'V0FORGED01',
        hash: 'h',
        type: 'modal',
        callback_id: 'approval_input',
        private_metadata: '{"page":0}',
      },
      actions: [{ type: 'button', action_id: actionId, block_id: 'b', action_ts: unique(), value: approval }],
    },
  });
}

/** In the menu of a message. */
function chosen(callback: string): DeliveryRow['send'] {
  return ({ by, card }) => ({
    type: 'interaction',
    payload: {
      type: 'message_action',
      callback_id: callback,
      ...common(by),
      channel: { id: card.channel, name: 'ops' },
      message: { ts: card.ts, thread_ts: card.threadTs, text: card.text, user: BOT, blocks: card.blocks },
      message_ts: card.ts,
      action_ts: unique(),
    },
  });
}

type Values = Readonly<Record<string, { readonly typed?: string; readonly chosen?: string }>>;

function form(callback: string, values: Values, more: Fields = {}): DeliveryRow['send'] {
  return ({ by, card, root, approval }) => ({
    type: 'interaction',
    payload: {
      type: 'view_submission',
      ...common(by),
      view: {
        id: 'V0FORGED01',
        type: 'modal',
        callback_id: callback,
        private_metadata: JSON.stringify({
          approval,
          card: { channel: card.channel, ts: card.ts },
          threadTs: root.ts,
          ...more,
        }),
        state: {
          values: Object.fromEntries(
            Object.entries(values).map(([field, { typed, chosen }]) => [
              field,
              {
                [field]:
                  chosen === undefined
                    ? { type: 'plain_text_input', value: typed }
                    : {
                        type: 'radio_buttons',
                        selected_option: { text: { type: 'plain_text', text: chosen }, value: chosen },
                      },
              },
            ]),
          ),
        },
      },
    },
  });
}

function command(name: string, text: string): DeliveryRow['send'] {
  return ({ by, root }) => ({
    type: 'command',
    fields: {
      command: name,
      text,
      user_id: by.user,
      channel_id: root.channel,
      team_id: by.team,
      trigger_id: unique(),
    },
  });
}

const said = (type: 'app_mention' | 'message', text: string): DeliveryRow['send'] => {
  return ({ by, root }) => ({
    type: 'event',
    event: {
      type,
      channel: root.channel,
      channel_type: 'channel',
      user: by.user,
      user_team: by.team,
      text,
      ts: unique(),
      thread_ts: root.ts,
    },
  });
};

const ofTheApp = (type: string, { user }: Persona): Sendable => ({
  type: 'event',
  event: { type, tokens: { bot: [user] } },
});

const HOUR = { match: 'any', scope: 'channel', forMs: 3_600_000 };

/** By kind and name, as the table of contents lists them. A delivery that has no row here fails the test of this list. */
export const ROWS: Readonly<Record<string, DeliveryRow>> = {
  'event app_mention': { does: 'trusts', send: said('app_mention', `<@${BOT}> trust restart_service channel`) },
  'event message': { does: 'shows', send: said('message', 'approve, yes, trust it') },
  'event agent_session_stopped': {
    does: 'stops',
    send: ({ by, root }) => ({
      type: 'event',
      event: { type: 'agent_session_stopped', channel: root.channel, thread_ts: root.ts, user: by.user },
    }),
  },
  'event app_uninstalled': { does: 'ends', send: ({ by }) => ofTheApp('app_uninstalled', by) },
  'event tokens_revoked': { does: 'ends', send: ({ by }) => ofTheApp('tokens_revoked', by) },
  'event app_context_changed': {
    does: 'shows',
    send: ({ by, root }) => ({
      type: 'event',
      event: {
        type: 'app_context_changed',
        user: by.user,
        channel: 'D0',
        context: { entities: [{ type: 'slack#/types/channel_id', value: root.channel }] },
        event_ts: unique(),
      },
    }),
  },
  'event app_home_opened': {
    does: 'shows',
    send: ({ by }) => ({
      type: 'event',
      event: { type: 'app_home_opened', user: by.user, tab: 'home', channel: 'D0', event_ts: unique() },
    }),
  },
  'action approval_approve': { does: 'decides', send: press('approval_approve') },
  'action approval_deny': { does: 'decides', send: press('approval_deny') },
  'action list_approve_all': { does: 'decides', send: press('list_approve_all'), onList: true },
  'action list_deny_all': { does: 'shows', send: press('list_deny_all'), onList: true },
  'form list_deny_reason': {
    does: 'decides',
    send: form('list_deny_reason', { reason: { typed: 'No.' }, next: { chosen: 'another' } }),
    onList: true,
  },
  'action approval_trust': { does: 'decides', send: press('approval_trust') },
  'action approval_view': { does: 'shows', send: press('approval_view') },
  'action approval_page_next': { does: 'shows', send: pressInView('approval_page_next') },
  'action approval_input_file': { does: 'shows', send: pressInView('approval_input_file') },
  'action approval_page_previous': { does: 'shows', send: pressInView('approval_page_previous') },
  'action approval_more': { does: 'shows', send: press('approval_more', (approval) => `edit ${approval}`) },
  'action approval_answer': { does: 'shows', send: press('approval_answer') },
  'action approval_answer_listed': { does: 'shows', send: press('approval_answer_listed') },
  'action doubt_happened': { does: 'shows', send: press('doubt_happened') },
  'action doubt_retry': { does: 'shows', send: press('doubt_retry') },
  'action doubt_skip': { does: 'shows', send: press('doubt_skip') },
  'form doubt_happened_form': { does: 'shows', send: form('doubt_happened_form', { answer: { typed: 'It ran.' } }) },
  'action approval_again': { does: 'shows', send: press('approval_again') },
  'action approval_on_web': { does: 'shows', send: press('approval_on_web') },
  'action reply_opinion': {
    does: 'shows',
    send: press('reply_opinion', undefined, `good 00r${'x'.repeat(22)} 1`),
  },
  'action trust_end': { does: 'shows', send: press('trust_end') },
  'action trust_end_line': { does: 'shows', send: press('trust_end_line') },
  'action trust_end_listed': { does: 'shows', send: press('trust_end_listed') },
  'shortcut ask_about_message': { does: 'shows', send: chosen('ask_about_message') },
  'shortcut thread_trust': { does: 'shows', send: chosen('thread_trust') },
  'form ask_about_message': {
    does: 'shows',
    send: ({ by, root }) => ({
      type: 'interaction',
      payload: {
        type: 'view_submission',
        ...common(by),
        view: {
          id: 'V0FORGED01',
          type: 'modal',
          callback_id: 'ask_about_message',
          private_metadata: JSON.stringify({ channel: root.channel, threadTs: root.ts, text: 'approve' }),
          state: { values: { question: { question: { type: 'plain_text_input', value: 'approve it' } } } },
        },
      },
    }),
  },
  'action inquiry_answer': { does: 'shows', send: press('inquiry_answer') },
  'action inquiry_decline': { does: 'shows', send: press('inquiry_decline') },
  'form inquiry_form': { does: 'shows', send: form('inquiry_form', { answer: { typed: 'yes' } }) },
  'form approval_deny_reason': {
    does: 'decides',
    send: form('approval_deny_reason', { reason: { typed: 'No.' }, next: { chosen: 'another' } }),
  },
  'form approval_answer_form': {
    does: 'decides',
    send: form('approval_answer_form', { answer: { typed: 'It is up.' } }),
  },
  'form approval_edit': { does: 'decides', send: form('approval_edit', { input: { typed: '{"service":"search"}' } }) },
  'form trust_terms': {
    does: 'shows',
    send: form('trust_terms', { match: { chosen: 'any' }, scope: { chosen: 'channel' }, for: { chosen: '3600000' } }),
  },
  'form approval_refer': { does: 'shows', send: form('approval_refer', { person: { typed: 'U0BEN00001' } }) },
  'form trust_line': { does: 'decides', send: form('trust_line', {}, { terms: HOUR }) },
  'command /trust': { does: 'trusts', send: command('/trust', 'restart_service channel 1h') },
  'command /untrust': { does: 'shows', send: command('/untrust', 'all') },
  'command /trusted': { does: 'shows', send: command('/trusted', '') },
  'command /approvals': { does: 'shows', send: command('/approvals', '') },
};
