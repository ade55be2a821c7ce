import type { HomeView, ModalView } from '@slack/types';
import type { Approval, TrustedCalls } from '../../../app/records/index.ts';
import { doubtCard } from '../../../handlers/questions/doubt/card.ts';
import { happenedForm } from '../../../handlers/questions/doubt/form.ts';
import { inquiryCard } from '../../../handlers/questions/inquiry/card.ts';
import { inquiryForm } from '../../../handlers/questions/inquiry/form.ts';
import { approvalCard } from '../../../handlers/views/card/approval-card.ts';
import { directCopy } from '../../../handlers/views/card/direct-copy.ts';
import { listCard } from '../../../handlers/views/card/list/list-card.ts';
import { lostCard } from '../../../handlers/views/card/lost-card.ts';
import { directReminder, reminder } from '../../../handlers/views/card/reminder.ts';
import { answerModal } from '../../../handlers/views/forms/answer-modal.ts';
import { askedNote, askModal } from '../../../handlers/views/forms/ask-modal.ts';
import { confirmModal } from '../../../handlers/views/forms/confirm-modal.ts';
import { denyAllModal } from '../../../handlers/views/forms/deny-all-modal.ts';
import { denyModal } from '../../../handlers/views/forms/deny-modal.ts';
import { confirmEditModal, editModal } from '../../../handlers/views/forms/edit-modal.ts';
import { loadingModal, messageModal } from '../../../handlers/views/forms/input-modal.ts';
import { referModal, referredNote } from '../../../handlers/views/forms/refer-modal.ts';
import { lineModal, termsModal, WIDER } from '../../../handlers/views/forms/terms-modal.ts';
import type { MessageView } from '../../../handlers/views/kit/blocks.ts';
import { homeView, settledView, unreadableHome } from '../../../handlers/views/pages/home-view.ts';
import { trustedModal, trustedView } from '../../../handlers/views/pages/trusted-view.ts';
import { usageView } from '../../../handlers/views/pages/usage-view.ts';
import { unheardNote, waitingView } from '../../../handlers/views/pages/waiting-view.ts';
import { PLACEHOLDER } from '../../../handlers/views/reply/growing.ts';
import { trustedLine } from '../../../handlers/views/reply/trusted-line.ts';
import { HOSTILE } from '../../../sandbox/model/hostile.ts';
import { inputModal, replyMessages } from '../../support/drawn-at-once.ts';
import { doubt, everyDoubt } from './doubts.ts';
import { approvalId, FULL_HOME, trust, UNHEARD } from './homes.ts';
import { everyInquiry, FORM_MEMORY, inquiry } from './inquiries.ts';
import { everyList, list } from './lists.ts';
import { ANN, approved, BEN, everyState, GRANT, guarded, pending, RUN, THREAD, ZOE } from './records.ts';
import { sentences } from './sentences.ts';

/** Every card, message, modal and page that people can come to see, each at least once. */

/** What `by` drew, under a name of its own. */
export interface Picture {
  readonly name: string;
  readonly by: unknown;
  readonly drawn: Surface | readonly Surface[];
}

export type Surface = MessageView | ModalView | HomeView;

function picture<Given extends readonly unknown[], Drawn extends Surface | readonly Surface[]>(
  name: string,
  by: (...given: Given) => Drawn | undefined,
  ...given: Given
): Picture {
  const drawn = by(...given);
  if (drawn === undefined) throw new Error(`There is nothing to see of ${name}.`);
  return { name, by, drawn };
}

const asked = pending();

/** Ben has said yes, and Zoe has not. */
const ONE_OF_TWO = guarded({
  progress: {
    yeses: [{ by: BEN, atMs: asked.askedAtMs }],
    ...{ stage: 1, stages: 1, given: 1, needed: 2, approvers: [BEN, ZOE] },
  },
});

export const EDITABLE = {
  type: 'object',
  properties: { service: { type: 'string', enum: ['payments', 'search'], description: 'Which service to restart' } },
  required: ['service'],
};

const FORM = {
  type: 'object',
  properties: {
    when: { type: 'string', enum: ['Now', 'Tonight'], title: 'When' },
    minutes: { type: 'integer', minimum: 1, maximum: 60, title: 'For how long, in minutes' },
    note: { type: 'string', title: 'What to tell its users', maxLength: 200 },
  },
  required: ['when', 'minutes'],
};

export const EVERY_FIELD = {
  type: 'object',
  properties: {
    ...FORM.properties,
    quiet: { type: 'boolean', title: 'Without a message to its users' },
    where: { type: 'array', items: { type: 'string', enum: ['Europe', 'Asia'] }, title: 'Where' },
  },
  required: FORM.required,
};

export const ASKING = pending({
  tool: 'ask_person',
  summary: 'How may I restart the payments service?',
  input: JSON.stringify({ question: 'How may I restart the payments service?', form: FORM }),
  wants: { choices: [], form: JSON.stringify(FORM) },
});

const long = JSON.stringify({ query: 'select * from orders where state = $1 '.repeat(120) });

const LINE = {
  line: 'restart_service with any input, in this channel, for 1 day',
  match: 'any',
  scope: 'channel',
  forMs: 86_400_000,
} as const;

const ran = (service: string) =>
  ({ summary: `Restart the ${service} service.`, outcome: { type: 'ran', ms: 1_200 } }) as const;
const TRUSTED: TrustedCalls = {
  trust: GRANT,
  tool: 'restart_service',
  by: ANN,
  line: 'restart_service with any input, in this thread, for 1 hour',
  calls: [ran('search')],
};
const MANY_TRUSTED: TrustedCalls = {
  ...TRUSTED,
  calls: [
    ran('search'),
    { ...ran('mail'), outcome: { type: 'failed', ms: 300 } },
    { ...ran('cache'), outcome: { type: 'running' } },
  ],
};

/** Two of several people have to say yes, and one has. */
const SEVERAL = {
  rule: { approvers: [ANN, BEN], selfApproval: true, quorum: 2 },
  progress: {
    yeses: [{ by: ANN, atMs: asked.askedAtMs }],
    stage: 1,
    stages: 1,
    given: 1,
    needed: 2,
    approvers: [ANN, BEN],
  },
} as const;

const USED = {
  runs: 3,
  turns: 12,
  tokens: { input: 12_345, output: 678, cacheRead: 90_000, cacheWrite: 4_321 },
  cost: { amount: 1.239, currency: 'EUR' },
};

export function pictures(): readonly Picture[] {
  return [...cards(), ...otherCards(), ...messages(), ...sentences(), ...modals(), ...homes()];
}

const DATABASE = {
  tool: 'drop_database',
  summary: 'Delete the database payments_old for good.',
  input: '{"database":"payments_old"}',
};

function cards(): readonly Picture[] {
  const looked = {
    preview: 'degraded → running',
    precondition: { text: 'status degraded', digest: 'd' },
    was: 'status running',
  };
  const question = {
    tool: 'ask_person',
    summary: 'When may the payments service go away for a minute?',
    input: '{"question":"When may the payments service go away for a minute?","choices":["Now","Tonight"]}',
    wants: { choices: ['Now', 'Tonight'] },
  };
  const hostile = {
    tool: 'run_report',
    summary: `Make a report from ${HOSTILE}`,
    input: JSON.stringify({ query: HOSTILE }),
  };
  const card = (name: string, approval: Approval) => picture(name, approvalCard, approval);
  return [
    card('card-pending', asked),
    card('card-pending-guarded', guarded(DATABASE)),
    card('card-pending-second-factor', { ...guarded(DATABASE), secondFactor: true }),
    card('card-pending-several-yeses', { ...guarded(DATABASE), ...SEVERAL }),
    card('card-pending-referred', { ...guarded(DATABASE), referred: [{ to: BEN, by: ANN, atMs: asked.askedAtMs }] }),
    card('card-pending-preview', pending(looked)),
    card('card-pending-question', pending(question)),
    card('card-pending-form', ASKING),
    card('card-pending-long', pending({ tool: 'run_report', summary: 'Make a report.', input: long })),
    card('card-pending-hostile', pending(hostile)),
    ...[
      ...new Map(
        everyState(asked, 'Not while people are buying.')
          .filter(({ status }) => status !== 'pending')
          .map((approval) => [state(approval), approval]),
      ),
    ].map(([name, approval]) => card(`card-${name}`, approval)),
  ];
}

function state(approval: Approval): string {
  const outcome = 'outcome' in approval ? `-${approval.outcome.type}` : '';
  const edited = 'decision' in approval && approval.decision.edit !== undefined ? '-edited' : '';
  const outdated = 'outdated' in approval ? '-outdated' : '';
  const ended = 'trustEnded' in approval ? '-ended' : '';
  const again = 'askedAgain' in approval ? '-again' : '';
  const replaced = approval.status === 'cancelled' && approval.replacedBy !== undefined ? '-replaced' : '';
  return `${approval.status}${replaced}${outcome}${edited}${outdated}${ended}${again}`;
}

function otherCards(): readonly Picture[] {
  return [
    ...everyInquiry().map((one, place) => picture(`inquiry-${place}-${one.standing.status}`, inquiryCard, one)),
    ...everyDoubt().map((one, place) => picture(`doubt-${place}-${one.standing.status}`, doubtCard, one)),
    ...everyList().map((one, place) =>
      picture(`list-card-${['waiting', 'partly', 'mixed', 'settled'][place]}`, listCard, one),
    ),
    picture('card-lost', lostCard),
  ];
}

function messages(): readonly Picture[] {
  const answer =
    'Done. The **payments** service was restarted.\n\n| service | status |\n| --- | --- |\n| payments | running |';
  const about = { signed: { label: 'Trusted by', user: ANN } };
  const calls = [
    { tool: 'service_status', outcome: 'ran', ms: 1_200 },
    { tool: 'fetch_page', outcome: 'failed', ms: 300 },
  ] as const;
  return [
    picture('reply', replyMessages, answer, about),
    picture('trusted-line', trustedLine, TRUSTED),
    picture('trusted-lines', trustedLine, MANY_TRUSTED),
    picture('trusted-over', trustedLine, { ...TRUSTED, over: { by: BEN, atMs: asked.askedAtMs } }),
    picture('reply-opinion', replyMessages, answer, { calls, opinion: { run: RUN, turn: 1 } }),
    { name: 'reply-begins', by: PLACEHOLDER, drawn: PLACEHOLDER },
    picture('reminder', reminder, pending(), 'reminder'),
    picture(
      'reminder-escalation',
      reminder,
      pending({ escalation: { to: [BEN], atMs: asked.askedAtMs } }),
      'escalation',
    ),
    picture('reminder-direct', directReminder, guarded(), 'reminder'),
    picture('notice-direct', directReminder, guarded(), 'notice'),
    picture('direct-approved', directCopy, approved(), { to: BEN, what: 'notice' }),
    picture('direct-expired', directCopy, { ...asked, status: 'expired' }, { to: BEN, what: 'reminder' }),
    picture('direct-waits-for-others', directCopy, ONE_OF_TWO, { to: BEN, what: 'notice' }),
    picture('referred', referredNote, guarded(), ANN, BEN),
    picture('asked-about', askedNote, ANN, 'Restart it, please.'),
    picture('usage', usageView, { thread: USED, running: { ...USED, runs: 1, turns: 2 } }),
    picture('unheard-direct', unheardNote, UNHEARD),
    picture('list-waiting', waitingView, {
      approvals: [pending(), guarded({ id: approvalId(1) }), { ...ASKING, id: approvalId(2) }],
      doubts: [doubt({ id: approvalId(3) })],
      more: 2,
    }),
    picture('list-settled', settledView, FULL_HOME.decided),
    picture('list-trusted', trustedView, [trust()], 'channel'),
  ];
}

function modals(): readonly Picture[] {
  const lines = JSON.stringify({ query: 'line of text\n'.repeat(4_000) });
  return [
    picture('modal-input', inputModal, pending(), 0),
    picture('modal-input-long', inputModal, pending({ input: lines }), 0),
    picture('modal-input-file', inputModal, pending({ input: JSON.stringify({ text: 'x'.repeat(200_000) }) }), 0),
    picture('modal-input-end', inputModal, pending({ input: lines }), 99),
    picture('modal-loading', loadingModal),
    picture('modal-message', messageModal, lostCard()),
    picture('modal-deny', denyModal, pending(), FORM_MEMORY),
    picture('modal-deny-all', denyAllModal, list(), FORM_MEMORY),
    picture('modal-confirm', confirmModal, guarded(DATABASE), FORM_MEMORY),
    picture('modal-answer', answerModal, ASKING, FORM_MEMORY),
    picture('modal-answer-choices', answerModal, { ...ASKING, wants: { choices: ['Now', 'Tonight'] } }, FORM_MEMORY),
    picture('modal-edit', editModal, pending(), FORM_MEMORY),
    picture('modal-edit-fields', editModal, asked, FORM_MEMORY, EDITABLE),
    picture(
      'modal-edit-confirm',
      confirmEditModal,
      guarded(DATABASE),
      {
        input: '{"database":"payments_new"}',
        digest: 'e'.repeat(64),
        summary: 'Delete the database payments_new for good.',
      },
      { memory: FORM_MEMORY, schema: undefined },
    ),
    picture('modal-refer', referModal, guarded(), FORM_MEMORY),
    picture('modal-terms', termsModal, pending(), FORM_MEMORY, WIDER),
    picture(
      'modal-terms-parts',
      termsModal,
      pending({ input: '{"service":"payments","replicas":3}' }),
      FORM_MEMORY,
      WIDER,
    ),
    picture('modal-line', lineModal, pending(), LINE, FORM_MEMORY),
    picture('modal-happened', happenedForm, doubt(), FORM_MEMORY),
    picture('modal-ask', askModal, { channel: THREAD.channel, threadTs: THREAD.ts, text: 'payments answers 502' }),
    picture('modal-trusted', trustedModal, [trust()]),
    picture('modal-inquiry', inquiryForm, inquiry(), FORM_MEMORY),
    picture('modal-inquiry-every-field', inquiryForm, inquiry({ schema: JSON.stringify(EVERY_FIELD) }), FORM_MEMORY),
  ];
}

function homes(): readonly Picture[] {
  return [picture('home', homeView, FULL_HOME), picture('home-unreadable', unreadableHome)];
}
