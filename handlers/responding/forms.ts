import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Approvals, ConsiderResult } from '../../app/approvals/index.ts';
import type { Log } from '../../app/log.ts';
import type { Approval, ApprovalId } from '../../app/records/index.ts';
import { type BotPayload, type PressedButton, readSubmission, type SubmittedForm } from '../payloads/index.ts';
import {
  ANSWERS,
  FORMS,
  type FormId,
  type FormMemory,
  formNotTaken,
  type MessageView,
  type Mrkdwn,
  messageModal,
  quotation,
  SLACK,
} from '../views/index.ts';
import type { AnswerDelivery, FormAnswer } from './arrival.ts';
import { withNames } from './names.ts';
import { openForm } from './open-view.ts';
import { type ShownDeps, unlessShown } from './shown.ts';
import { type PrivateListener, sentence, whisper } from './tell.ts';
import { truthOf } from './truths.ts';

/** How every form is opened, and how a submitted one is answered. */

export interface FormDeps {
  readonly approvals: Approvals;
  readonly client: WebClient;
  readonly log: Log;
  readonly bot: () => BotPayload;
}

export interface FormOpened {
  readonly press: Pick<PressedButton, 'by' | 'trigger' | 'place'>;
  readonly approval: ApprovalId;
  readonly form: FormId;
  /** Pressed in a list of waiting calls, and not on the card. */
  readonly listed?: true;
}

/** Opens the form of a button on a card, or says why there is none. */
export async function openCardForm(
  { approvals, client, log }: FormDeps,
  { press, approval: id, form, listed }: FormOpened,
  draw: (approval: Approval, memory: FormMemory) => ModalView | Promise<ModalView>,
  whom: 'deciders' | 'everyone' = 'deciders',
): Promise<void> {
  const { title } = FORMS[form];
  await openForm({ client, log }, { trigger: press.trigger, title }, async () => {
    const considered =
      whom === 'deciders' ? await approvals.consider(id, press.by) : await findForEveryone(approvals, id);
    log.debug('A form was opened', { approval: id, by: press.by.user, result: considered.type });
    return considered.type === 'open'
      ? draw(considered.approval, memoryOf(press, considered.approval, listed))
      : messageModal(sentence(truthOf(considered, press.by.user)), title);
  });
}

/** What a form remembers that is opened by this press. */
export function memoryOf(press: Pick<PressedButton, 'place'>, approval: Approval, listed?: true): FormMemory {
  return { approval: approval.id, ...placeOf(press, approval, listed), run: approval.run };
}

/** The card that the form stands for: the one that was pressed, or the one that is on record. */
function placeOf(
  { place }: Pick<PressedButton, 'place'>,
  { card, thread }: Approval,
  listed: true | undefined,
): Pick<FormMemory, 'card' | 'threadTs' | 'listed'> {
  if (place.type === 'message' && listed === undefined) return { card: place.card, threadTs: place.threadTs };
  return { card: card ?? { channel: thread.channel, ts: thread.ts }, threadTs: thread.ts, listed: true };
}

async function findForEveryone(approvals: Approvals, id: ApprovalId): Promise<ConsiderResult> {
  // The store may be out of reach. The form says so.
  const approval = await approvals.find(id).catch(() => 'failed' as const);
  if (approval === 'failed') return { type: 'failed' };
  if (approval === undefined) return { type: 'unknown' };
  if (approval.status === 'pending') return { type: 'open', approval };
  return { type: 'decision' in approval ? 'already-decided' : 'over', approval };
}

/** What becomes of a form that was submitted. */
export type FormEnd =
  /** The form closes, and the card answers. `say` is for a form that is still open, and for a card that cannot answer. */
  | { readonly type: 'done'; readonly say: MessageView }
  /** The form closes, and the person reads in the thread what no card shows. */
  | { readonly type: 'tell'; readonly say: MessageView }
  /** The answer takes the place of the form. */
  | { readonly type: 'say'; readonly say: MessageView }
  /** Nothing was recorded, as far as is known. The form stays open with what was typed, while Slack lets it. */
  | { readonly type: 'again'; readonly say: MessageView }
  /** Another form follows. */
  | { readonly type: 'show'; readonly view: ModalView }
  | { readonly type: 'errors'; readonly errors: Readonly<Record<string, string>> };

/** The answer to a form whose person reads in its place what became of it. */
export function endOf({ type }: { readonly type: string }, truth: Mrkdwn): FormEnd {
  return { type: type === 'failed' ? 'again' : 'say', say: sentence(truth) };
}

export type EndDeps = Pick<FormDeps, 'client'> & ShownDeps;

/** The answer to a submitted form. */
export function onSubmitted<Deps extends EndDeps>(
  title: string,
  decide: (deps: Deps, form: SubmittedForm) => Promise<FormEnd>,
): AnswerDelivery<Deps> {
  return async (deps, arrival) => {
    const form = readSubmission(arrival.body);
    if (form === undefined) {
      deps.log.warn('A form was not acted on', { why: 'none of our forms sends this' });
      await arrival.ack(inPlace(messageModal(sentence(ANSWERS.notUnderstood), title)));
      return;
    }
    // The store may be out of reach. The form says that it did not work.
    const end = await decide(deps, form).catch((error: unknown): FormEnd => {
      deps.log.error('A form could not be answered', { error });
      return { type: 'again', say: sentence(ANSWERS.broken) };
    });
    if ((await arrival.ack(await answerOf(deps, end, { ...form, title }))) === 'taken')
      await tellOfTaken(deps, form, end);
    else if ((await showLate(deps, { ...form, title }, end)) === 'closed') await tellOfClosed(deps, form, end);
  };
}

/** The field with the most words. `undefined` where nothing was typed. */
export function longestOf({ typed }: Pick<SubmittedForm, 'typed'>): string | undefined {
  const [longest] = [...typed].sort(([, one], [, other]) => other.length - one.length);
  return longest?.[0];
}

/** Tells what the form did not say when it closed. */
async function tellOfTaken(deps: EndDeps, form: SubmittedForm, end: FormEnd): Promise<void> {
  if (end.type === 'tell') await tellBeside(deps, listenerOf(form), end.say);
  if (end.type === 'done') unlessShown(deps, form.memory.card, () => tellBeside(deps, listenerOf(form), end.say));
}

/** Tells what the form could not say because the person had closed it. */
async function tellOfClosed(deps: EndDeps, form: SubmittedForm, end: FormEnd): Promise<void> {
  // A person who closed the first of two forms has decided nothing yet.
  if (end.type === 'show') return;
  if (end.type === 'done') return tellOfTaken(deps, form, end);
  await tellBeside(deps, listenerOf(form), lateWords(form, end));
}

const listenerOf = ({ by, memory }: SubmittedForm): PrivateListener => ({
  user: by.user,
  channel: memory.card.channel,
  threadTs: memory.threadTs,
});

/** `undefined` closes the form. */
async function answerOf(
  { client }: Pick<FormDeps, 'client'>,
  end: FormEnd,
  { title, typed }: Pick<OpenForm, 'title' | 'typed'>,
): Promise<FormAnswer | undefined> {
  const field = longestOf({ typed });
  if (end.type === 'again' && field !== undefined)
    return { response_action: 'errors', errors: { [field]: end.say.text } };
  switch (end.type) {
    case 'show':
      return inPlace(await withNames(client, end.view));
    case 'say':
    case 'again':
      return inPlace(await withNames(client, messageModal(end.say, title)));
    case 'errors':
      return { response_action: 'errors', errors: { ...end.errors } };
    case 'done':
    case 'tell':
      return undefined;
  }
}

interface OpenForm extends Pick<SubmittedForm, 'view' | 'typed'> {
  readonly title: string;
}

/** Shows a late answer in the form, or in the thread to a person who has closed the form by then. */
export async function tellLate(
  deps: Pick<FormDeps, 'client' | 'log'>,
  listener: PrivateListener,
  { say, ...form }: Omit<OpenForm, 'typed'> & { readonly say: MessageView },
): Promise<void> {
  if ((await showLate(deps, { ...form, typed: new Map() }, { type: 'say', say })) === 'closed')
    await tellBeside(deps, listener, say);
}

async function showLate(
  { client, log }: Pick<FormDeps, 'client' | 'log'>,
  { view, title, typed }: OpenForm,
  end: FormEnd,
): Promise<'shown' | 'closed'> {
  const late = await withNames(client, end.type === 'show' ? end.view : messageModal(lateWords({ typed }, end), title));
  try {
    await client.views.update({ view_id: view, view: late });
    return 'shown';
    // The person may have closed the form.
  } catch (error) {
    log.info('The answer to a form could not be shown in its place', { error });
    return 'closed';
  }
}

/** The form is gone by now, so a person whose words were not taken reads them here. */
function lateWords(
  { typed }: Pick<SubmittedForm, 'typed'>,
  end: Exclude<FormEnd, { readonly type: 'show' }>,
): MessageView {
  if (end.type !== 'again' && end.type !== 'errors') return end.say;
  const said = end.type === 'again' ? end.say : sentence(formNotTaken(Object.values(end.errors)));
  const words = [...typed.values()].join('\n');
  return words === ''
    ? said
    : { ...said, blocks: [...said.blocks, quotation('typed', 'You wrote', words, SLACK.sectionChars)] };
}

async function tellBeside(
  { client, log }: Pick<FormDeps, 'client' | 'log'>,
  listener: PrivateListener,
  say: MessageView,
): Promise<void> {
  // Slack may refuse the whisper. What was decided stands.
  await whisper(client, listener, say).catch((error: unknown) =>
    log.warn('What became of a form was not told', { error }),
  );
}

/** Shows this where the form was. */
export function inPlace(view: ModalView): FormAnswer {
  return { response_action: 'update', view };
}
