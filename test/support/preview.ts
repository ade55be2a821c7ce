import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Approval } from '../../app/records.ts';
import { answerModal } from '../../handlers/views/answer-modal.ts';
import { approvalCard } from '../../handlers/views/approval-card.ts';
import { askedNote, askModal } from '../../handlers/views/ask-modal.ts';
import { denyAllModal } from '../../handlers/views/deny-all-modal.ts';
import { denyModal } from '../../handlers/views/deny-modal.ts';
import { doubtCard } from '../../handlers/views/doubt-card.ts';
import { editModal } from '../../handlers/views/edit-modal.ts';
import { homeView } from '../../handlers/views/home-view.ts';
import { inputModal } from '../../handlers/views/input-modal.ts';
import { inquiryCard } from '../../handlers/views/inquiry-card.ts';
import { inquiryForm } from '../../handlers/views/inquiry-form.ts';
import { listCard } from '../../handlers/views/list-card.ts';
import { reminder } from '../../handlers/views/reminder.ts';
import { replyMessages } from '../../handlers/views/reply.ts';
import { lineModal, termsModal } from '../../handlers/views/terms-modal.ts';
import { trustedModal, trustedView } from '../../handlers/views/trusted-view.ts';
import { waitingView } from '../../handlers/views/waiting-view.ts';
import { checkMessageBlocks, checkView } from '../../sandbox/block-kit/check.ts';
import { asJson } from '../../sandbox/json.ts';
import { HOSTILE } from '../../sandbox/model/hostile.ts';
import { drawBlocks } from '../../sandbox/page/blocks.ts';
import { div } from '../../sandbox/page/element.ts';
import { drawMessage } from '../../sandbox/page/message.ts';
import { drawModal } from '../../sandbox/page/modal.ts';
import { BOT } from '../../sandbox/people.ts';
import { startSandbox } from '../../sandbox/server.ts';
import type { World } from '../../sandbox/world.ts';
import { everyDoubt } from '../handlers/views/doubts.ts';
import { FULL_HOME, grant } from '../handlers/views/homes.ts';
import { everyInquiry, FORM_MEMORY, inquiry } from '../handlers/views/inquiries.ts';
import { everyList, list } from '../handlers/views/lists.ts';
import { ANN, everyState, GRANT, guarded, pending, THREAD } from '../handlers/views/records.ts';
import { needChromium } from './servers.ts';

/**
 * `npm run preview`: every state of every card and every view, drawn as the sandbox draws them, each to a picture.
 * They are for looking at; a tests' renderer is not Slack, but what is wrong there is mostly wrong in Slack too.
 */

type Picture = { readonly name: string } & ({ readonly blocks: readonly unknown[] } | { readonly view: unknown });

const EDITABLE = {
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

const asking = pending({
  tool: 'ask_person',
  summary: 'How may I restart the payments service?',
  input: JSON.stringify({ question: 'How may I restart the payments service?', form: FORM }),
  wants: { choices: [], form: JSON.stringify(FORM) },
});

const long = JSON.stringify({ query: 'select * from orders where state = $1 '.repeat(120) });

function pictures(): readonly Picture[] {
  const card = (name: string, approval: Approval): Picture => ({ name, blocks: approvalCard(approval).blocks });
  const { preview: _preview, precondition: _precondition, was: _was, ...asked } = pending();
  const state = (approval: Approval): string => {
    const outcome = 'outcome' in approval ? `-${approval.outcome.type}` : '';
    const edited = 'decision' in approval && approval.decision.edit !== undefined ? '-edited' : '';
    const ended = approval.trustEnded === undefined ? '' : '-ended';
    return `${approval.status}${outcome}${edited}${ended}${approval.askedAgain === undefined ? '' : '-again'}`;
  };
  const reply = replyMessages(
    'Done. The **payments** service was restarted.\n\n| service | status |\n| --- | --- |\n| payments | running |',
    { signed: { label: 'Trusted by', user: ANN }, endsTrust: { grant: GRANT, tool: 'restart_service' } },
  );
  const terms = {
    line: 'restart_service, with any input, in this channel, for 1 day',
    match: 'any',
    scope: 'channel',
    forMs: 86_400_000,
  } as const;
  return [
    card('card-pending', asked),
    card(
      'card-pending-guarded',
      guarded({
        tool: 'drop_database',
        summary: 'Delete the database payments_old for good.',
        input: '{"database":"payments_old"}',
      }),
    ),
    card(
      'card-pending-preview',
      pending({
        preview: 'payments is degraded now.',
        precondition: { text: 'status degraded', digest: 'd' },
        was: 'status running',
      }),
    ),
    card(
      'card-pending-question',
      pending({
        tool: 'ask_person',
        summary: 'When may the payments service go away for a minute?',
        input: '{"question":"When may the payments service go away for a minute?","choices":["Now","Tonight"]}',
        wants: { choices: ['Now', 'Tonight'] },
      }),
    ),
    card('card-pending-form', asking),
    { name: 'modal-answer', view: answerModal(asking, FORM_MEMORY) },
    card('card-pending-long', pending({ tool: 'run_report', summary: 'Make a report.', input: long })),
    card(
      'card-pending-hostile',
      pending({
        tool: 'run_report',
        summary: `Make a report from ${HOSTILE}`,
        input: JSON.stringify({ query: HOSTILE }),
      }),
    ),
    ...[
      ...new Map(
        everyState(asked)
          .filter(({ status }) => status !== 'pending')
          .map((approval) => [state(approval), approval]),
      ),
    ].map(([name, approval]) => card(`card-${name}`, approval)),
    ...everyInquiry().map((one, place) => ({
      name: `inquiry-${place}-${one.standing.status}`,
      blocks: inquiryCard(one).blocks,
    })),
    ...everyDoubt().map((one, place) => ({
      name: `doubt-${place}-${one.standing.status}`,
      blocks: doubtCard(one).blocks,
    })),
    ...everyList().map((one, place) => ({
      name: `list-card-${['waiting', 'partly', 'mixed', 'settled'][place]}`,
      blocks: listCard(one).blocks,
    })),
    { name: 'reply', blocks: reply.flatMap(({ blocks }) => blocks) },
    { name: 'reminder', blocks: reminder(pending(), 'reminder').blocks },
    { name: 'asked-about', blocks: askedNote(ANN, 'Restart it, please.').blocks },
    {
      name: 'list-waiting',
      blocks: waitingView({ approvals: [pending(), guarded()], doubts: [], more: 0 }).blocks.slice(0, 5),
    },
    { name: 'list-trusted', blocks: trustedView([grant()], 'channel').blocks },
    { name: 'modal-input', view: inputModal(pending(), 0) },
    {
      name: 'modal-input-long',
      view: inputModal(pending({ input: JSON.stringify({ query: 'line of text\n'.repeat(4_000) }) }), 0),
    },
    { name: 'modal-deny', view: denyModal(pending(), FORM_MEMORY) },
    { name: 'modal-deny-all', view: denyAllModal(list(), FORM_MEMORY) },
    { name: 'modal-edit', view: editModal(pending(), FORM_MEMORY) },
    { name: 'modal-edit-fields', view: editModal(asked, FORM_MEMORY, EDITABLE) },
    { name: 'modal-terms', view: termsModal(pending(), FORM_MEMORY) },
    { name: 'modal-line', view: lineModal(pending(), terms, FORM_MEMORY) },
    {
      name: 'modal-ask',
      view: askModal({ channel: THREAD.channel, threadTs: THREAD.ts, text: 'payments answers 502' }),
    },
    { name: 'modal-trusted', view: trustedModal([grant()]) },
    { name: 'modal-inquiry', view: inquiryForm(inquiry(), FORM_MEMORY) },
    { name: 'home', view: homeView(FULL_HOME) },
  ];
}

const [folder = 'preview'] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const sandbox = await startSandbox();
const browser = await chromium.launch({ executablePath: await needChromium(), args: ['--no-sandbox'] });
try {
  const page = await browser.newPage({ viewport: { width: 760, height: 900 }, deviceScaleFactor: 1.5 });
  for (const picture of pictures()) {
    await page.goto(sandbox.page);
    await show(page, markup(sandbox.world, picture), join(folder, `${picture.name}.png`));
  }
  process.stdout.write(`${pictures().length} pictures are in ${folder}/\n`);
} finally {
  await browser.close();
  await sandbox.close();
}

/** What Slack would refuse is not drawn. */
function markup(world: World, picture: Picture): string {
  if ('blocks' in picture) {
    const checked = checkMessageBlocks(asJson(picture.blocks));
    if (checked.type === 'refused') throw new Error(`${picture.name}: ${checked.problems.join('; ') || checked.error}`);
    const message = { channel: THREAD.channel, ts: THREAD.ts, user: BOT, text: '', blocks: checked.value };
    const rest = { reactions: [], files: [], earlier: [] };
    return renderToStaticMarkup(
      div('picture thread', drawMessage(world, { ...message, ...rest }, { shortcuts: [], follows: false })),
    );
  }
  const home = picture.name === 'home';
  const checked = checkView(asJson(picture.view), home ? 'home' : 'modal');
  if (checked.type === 'refused') throw new Error(`${picture.name}: ${checked.problems.join('; ') || checked.error}`);
  const view = { id: 'V1', user: ANN, hash: '1', rootId: 'V1', content: checked.value, values: {}, errors: {} };
  if (!home) return renderToStaticMarkup(drawModal(world, view));
  return renderToStaticMarkup(
    div('picture home-view', drawBlocks(world, checked.value.blocks, { target: 'view:V1', values: {} })),
  );
}

async function show(page: Page, html: string, path: string): Promise<void> {
  // The page keeps itself fresh; here it has to stay as it was put.
  await page.locator('body').evaluate((body, inner) => Object.assign(body, { innerHTML: inner }), html);
  await page.addStyleTag({
    content:
      'body{overflow:visible;height:auto}.picture{width:640px;padding:16px;height:auto;background:var(--paper,#fff);color:var(--ink,#1d1c1d)}',
  });
  await page.locator('.picture, .modal').first().screenshot({ path });
}
