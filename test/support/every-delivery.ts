import { given } from '../../app/given.ts';
import { digestText } from '../../app/runs/gate/granted-call.ts';
import { QUESTIONS, type QuestionForm } from '../../handlers/questions/index.ts';
import { BUTTONS, type ButtonRow, MENU, QUESTION_BUTTON } from '../../handlers/views/kit/buttons.ts';
import { FORMS, type FormId } from '../../handlers/views/kit/forms.ts';
import { canonicalCall } from '../../interventions/index.ts';
import { APP, BOT } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import type { Persona } from './everybody.ts';

/** One row for each kind of delivery that the bot answers: how any person could send it about the question of another person. */
export interface DeliveryRow {
  /** What it can do at most, when the right person sends it. `ends`: no person sends it, but Slack, of the whole app. */
  readonly does: 'decides' | 'trusts' | 'stops' | 'shows' | 'ends';
  readonly send: Send;
  /** About a card with many calls on it, and not one. */
  readonly onList?: true;
}

type Send = (about: About) => Sendable;

export interface About {
  readonly by: Persona;
  readonly card: SlackMessage;
  readonly root: SlackMessage;
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

/** On a card. In its menu, `verb` is what was chosen. */
function press(actionId: string, { verb, value }: { readonly verb?: string; readonly value?: string }): Send {
  return ({ by, card, root, approval }) => {
    const action = { action_id: actionId, block_id: 'b', action_ts: unique() };
    const what =
      verb === undefined
        ? { type: 'button', value: value ?? approval }
        : {
            type: 'overflow',
            selected_option: { text: { type: 'plain_text', text: 'x' }, value: `${verb} ${approval}` },
          };
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
function pressInView(actionId: string): Send {
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
function chosen(callback: string): Send {
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

interface FilledIn {
  readonly values: Readonly<Record<string, { readonly typed?: string; readonly chosen?: string }>>;
  /** What this form remembers beside its card. */
  readonly memory?: (about: About) => Fields;
  readonly onList?: true;
}

function form(callback: string, { values, memory = () => ({}) }: FilledIn): Send {
  return (about) => ({
    type: 'interaction',
    payload: {
      type: 'view_submission',
      ...common(about.by),
      view: {
        id: 'V0FORGED01',
        type: 'modal',
        callback_id: callback,
        private_metadata: JSON.stringify({
          approval: about.approval,
          card: { channel: about.card.channel, ts: about.card.ts },
          threadTs: about.root.ts,
          ...memory(about),
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

function command(name: string, text: string): Send {
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

const said = (type: 'app_mention' | 'message', text: string): Send => {
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

/** Of the call that the matrix asks about. */
const DIGEST = digestText(canonicalCall({ name: 'restart_service', input: { service: 'payments' } }));

/** What stands in each form. A form without a row here is an error of types. */
const FILLED_IN: Readonly<Record<FormId | QuestionForm, FilledIn>> = {
  approval_deny_reason: { values: { reason: { typed: 'No.' }, next: { chosen: 'another' } } },
  list_deny_reason: { values: { reason: { typed: 'No.' }, next: { chosen: 'another' } }, onList: true },
  approval_answer_form: { values: { answer: { typed: 'It is up.' } } },
  approval_confirm: { values: {}, memory: () => ({ confirms: DIGEST }) },
  approval_edit: { values: { input: { typed: '{"service":"search"}' } } },
  trust_terms: { values: { match: { chosen: 'any' }, scope: { chosen: 'channel' }, for: { chosen: '3600000' } } },
  trust_line: { values: {}, memory: () => ({ terms: { match: 'any', scope: 'channel', forMs: 3_600_000 } }) },
  approval_refer: { values: { person: { typed: 'U0BEN00001' } } },
  inquiry_form: { values: { answer: { typed: 'yes' } } },
  doubt_happened_form: { values: { said: { typed: 'It ran.' } } },
  ask_about_message: {
    values: { question: { typed: 'approve it' } },
    memory: ({ root }) => ({ channel: root.channel, text: 'approve' }),
  },
};

const doesOf = new Map(Object.entries(FORMS).map(([id, { does }]) => [id, does]));

/** A form of a question can do what its buttons can. */
function formRow(id: FormId | QuestionForm): Row {
  const { onList, ...filledIn } = FILLED_IN[id];
  const does = doesOf.get(id) ?? QUESTION_BUTTON.does;
  return [`form ${id}`, { does, send: form(id, filledIn), ...given({ onList }) }];
}

/** Every button, those of questions included, by its id. */
export const BUTTON_ROWS: Readonly<Record<string, ButtonRow>> = {
  ...BUTTONS,
  ...Object.fromEntries(
    Object.values(QUESTIONS).flatMap(({ buttons }) => Object.keys(buttons).map((id) => [id, QUESTION_BUTTON])),
  ),
};

/** A menu has a row for each of its choices. */
function buttonRows([id, { does, about, on }]: readonly [id: string, row: ButtonRow]): readonly Row[] {
  if (id === 'approval_more') {
    return Object.entries(MENU).map(
      ([verb, most]): Row => [`action ${id} ${verb}`, { does: most, send: press(id, { verb }) }],
    );
  }
  const value = id === 'reply_opinion' ? { value: `good 00r${'x'.repeat(22)} 1` } : {};
  const send = on.some((place) => place === 'message') ? press(id, value) : pressInView(id);
  return [[`action ${id}`, { does, send, ...(about === 'list' ? { onList: true } : {}) }]];
}

type Row = readonly [name: string, row: DeliveryRow];

function idsOf<Id extends string>(table: Readonly<Record<Id, unknown>>): readonly Id[] {
  return Object.keys(table).filter((id): id is Id => id in table);
}

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
  ...Object.fromEntries([...Object.entries(BUTTON_ROWS).flatMap(buttonRows), ...idsOf(FILLED_IN).map(formRow)]),
  'shortcut ask_about_message': { does: 'shows', send: chosen('ask_about_message') },
  'shortcut thread_trust': { does: 'shows', send: chosen('thread_trust') },
  'command /trust': { does: 'trusts', send: command('/trust', 'restart_service channel 1h') },
  'command /untrust': { does: 'shows', send: command('/untrust', 'all') },
  'command /trusted': { does: 'shows', send: command('/trusted', '') },
  'command /approvals': { does: 'shows', send: command('/approvals', '') },
};
