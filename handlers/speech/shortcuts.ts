import { z } from 'zod';
import type { Trust } from '../../app/authority/index.ts';
import { given } from '../../app/given.ts';
import { UserId } from '../../app/records/index.ts';
import type { Runs } from '../../app/runs/index.ts';
import type { Asker } from '../../app/who-may-ask.ts';
import { type ChosenMessage, readFilledIn, readShortcut, readWorkspace } from '../payloads/index.ts';
import {
  type Arrival,
  type FormDeps,
  openForm,
  openOnce,
  sentence,
  tellLate,
  whyMayNotAsk,
} from '../responding/index.ts';
import { isSlackError, refusalIn } from '../sender/index.ts';
import {
  ANSWERS,
  type AskMemory,
  askedNote,
  askModal,
  FIELD,
  FORMS,
  loadingModal,
  type Mrkdwn,
  messageModal,
  SHOWN,
  TRUSTED_TITLE,
  trustedModal,
} from '../views/index.ts';

type ShortcutDeps = Pick<FormDeps, 'client' | 'log' | 'bot'>;

/** A person wants the agent to work on a message, which may have any author. */
export async function onAskAbout({ client, log }: ShortcutDeps, { body }: Arrival): Promise<void> {
  const chosen = readShortcut(body);
  if (chosen === undefined) return void log.warn('A shortcut was not acted on', { why: 'no message sends this' });
  await openOnce({ client, log }, chosen.trigger, askModal(memoryOf(chosen)));
}

function memoryOf({ channel, threadTs, author, text }: ChosenMessage): AskMemory {
  return { channel, threadTs, text: text.slice(0, SHOWN.aboutChars), ...given({ author }) };
}

const { title: ASK_TITLE } = FORMS.ask_about_message;

const Memory: z.ZodType<AskMemory> = z.object({
  channel: z.string(),
  threadTs: z.string(),
  author: UserId.optional(),
  text: z.string(),
});

export interface AskedDeps extends ShortcutDeps {
  readonly runs: Pick<Runs, 'take' | 'once'>;
  readonly asker: Asker;
}

/** Takes the submitted question as a message of the person, in the thread of the message it is about. */
export async function onAsked({ client, log, bot, runs, asker }: AskedDeps, { body, ack }: Arrival): Promise<void> {
  const form = readFilledIn(body, Memory);
  const question = form?.values.get(FIELD.question)?.trim() ?? '';
  if (form === undefined || question === '') {
    log.warn('A form was not acted on', { why: 'none of our forms sends this' });
    const view = messageModal(sentence(ANSWERS.notUnderstood), ASK_TITLE);
    await ack({ response_action: 'update', view });
    return;
  }
  await ack({ response_action: 'update', view: loadingModal('One moment …', ASK_TITLE) });
  const { by, memory } = form;
  const { channel, threadTs, author } = memory;

  const thread = { team: bot().team_id, channel, ts: threadTs, ...readWorkspace(body, bot()) };
  const ask = async () => {
    const refused = await whyMayNotAsk(asker, { thread, user: by.user });
    if (refused !== undefined) return refused;
    // The note shows the thread why the bot speaks. If it cannot be posted, a reply could not be either, so no run begins.
    // Slack may deliver the form twice.
    if (await runs.once(thread, `asked:${form.view}`))
      await client.chat.postMessage({ channel, thread_ts: threadTs, ...askedNote(by.user, question) });
    await runs.take({
      thread,
      user: by.user,
      userTeam: by.team,
      // The id of the form, so that a form that Slack delivers twice begins one run.
      ts: `ask:${form.view}`,
      text: aboutMessage(question, memory),
      // The agent reads the words of the author too.
      ...(author === undefined || author === bot().user_id ? {} : { alsoSteeredBy: [author] }),
    });
    return ANSWERS.askedAbout;
  };
  // The bot may not be in the channel, or Slack or the store may be out of reach. The form says so.
  const answer = await ask().catch((error: unknown) => {
    log.warn('A question about a message could not be taken', { channel, error });
    return whyNotTaken(error);
  });
  // Only a question that was taken has a note in the thread. Slack shows no private answer in a thread without a reply.
  const listener = { user: by.user, channel, threadTs: answer === ANSWERS.askedAbout ? threadTs : undefined };
  await tellLate({ client, log }, listener, { view: form.view, title: ASK_TITLE, say: sentence(answer) });
}

const OUTSIDE = ['not_in_channel', 'channel_not_found'];

function whyNotTaken(error: unknown): Mrkdwn {
  if (OUTSIDE.some((code) => isSlackError(error, code))) return ANSWERS.notInChannel;
  const meaning = refusalIn(error)?.meaning;
  return meaning === 'channel' || meaning === 'post' ? ANSWERS.mayNotWrite : ANSWERS.broken;
}

/** The message is quoted, so that the agent does not take its words for those of the requester. */
function aboutMessage(question: string, { author, text }: AskMemory): string {
  const quoted = text
    .split(/\r\n?|[\n\v\f\u0085\u2028\u2029]/)
    .map((line) => `> ${line}`)
    .join('\n');
  return `${question}\n\nThis is about a message by ${author ?? 'another person or app'}, which only tells you what I mean:\n${quoted}`;
}

/** A person wants to see what is trusted in a thread, and perhaps end it. */
export async function onThreadTrust(
  { client, log, bot, trust }: ShortcutDeps & { readonly trust: Trust },
  { body }: Arrival,
): Promise<void> {
  const chosen = readShortcut(body);
  if (chosen === undefined) return void log.warn('A shortcut was not acted on', { why: 'no message sends this' });
  const { channel, threadTs, by } = chosen;
  await openForm({ client, log }, { trigger: chosen.trigger, title: TRUSTED_TITLE }, () =>
    trust.list({ team: bot().team_id, channel, threadTs, user: by.user }).then(trustedModal, (error: unknown) => {
      log.warn('What is trusted in a thread could not be read', { channel, error });
      return messageModal(sentence(ANSWERS.broken), TRUSTED_TITLE);
    }),
  );
}
