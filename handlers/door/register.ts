import type { App, CodedError } from '@slack/bolt';
import type { Log } from '../../app/log.ts';
import { readPerson, readTitle } from '../payloads/index.ts';
import {
  type Arrival,
  type Delivery,
  type FormAnswer,
  failureSaid,
  fetchInTime,
  inPlace,
  NotOpenedError,
  privately,
  readTaken,
  sentence,
  whisper,
} from '../responding/index.ts';
import { ANSWERS, loadingModal, messageModal, notServed } from '../views/index.ts';
import { spelledAsOurs, type Workspace, type Workspaces } from '../workspaces/index.ts';
import { inTime } from './in-time.ts';
import { answerTheRest } from './unanswered.ts';

export interface RegisterDeps<Deps> {
  readonly workspaces: Pick<Workspaces, 'ofDelivery' | 'unlisted'>;
  /** What an answer in this workspace is given. */
  readonly depsOf: (workspace: Workspace) => Deps;
  readonly log: Log;
}

/** Tells the Bolt app which function answers each delivery, and what happens to the rest. */
export function register<Deps>(app: App, table: readonly Delivery<Deps>[], deps: RegisterDeps<Deps>): void {
  const { workspaces, depsOf, log } = deps;
  const answer = async (row: Delivery<Deps>, arrival: Arrival): Promise<void> => {
    const workspace = await workspaces.ofDelivery(arrival.body);
    if (workspace !== undefined) {
      const body = await spelledAsOurs(workspace, arrival.body);
      return row.answer(depsOf(workspace), { ...arrival, body });
    }
    const unlisted = workspaces.unlisted(arrival.body);
    const why =
      unlisted === undefined ? 'the app is not installed there' : `the configuration does not list ${unlisted}`;
    log.warn('A delivery was not acted on', { why, delivery: row.name });
    const view = sentence(unlisted === undefined ? ANSWERS.notInstalled : notServed(unlisted));
    await arrival.ack(row.kind === 'form' ? inPlace(messageModal(view, readTitle(arrival.body))) : undefined);
    await arrival.respond?.(privately(view));
  };
  /** Slack waits three seconds and does not repeat a press, so the acknowledgement comes before everything else. */
  const answerAcknowledged = async (row: Delivery<Deps>, ack: () => Promise<void>, arrival: Omit<Arrival, 'ack'>) => {
    await ack();
    await answer(row, { ...arrival, ack: acknowledged });
  };
  /** Slack waits for the answer to a form as well, so its time runs before its workspace is looked up. */
  const answerForm = async (row: Delivery<Deps>, body: unknown, toSlack: (answer?: FormAnswer) => Promise<void>) => {
    const title = readTitle(body);
    const meanwhile = inPlace(loadingModal('Still working on it …', title));
    const ack = inTime(toSlack, { ms: FORM_MS, meanwhile, log });
    // The form still needs an answer. The error goes on to `onError`, which logs it.
    await answer(row, { body, ack, respond: undefined }).catch(async (error: unknown) => {
      await ack(inPlace(messageModal(sentence(ANSWERS.broken), title)));
      throw error;
    });
  };
  /** Slack tells a person of a command that it got no acknowledgement for, so words that a dying process lost are not taken as done. */
  const answerCommand = async (
    row: Delivery<Deps>,
    toSlack: (answer?: CommandAnswer) => Promise<void>,
    arrival: Omit<Arrival, 'ack'>,
  ) => {
    const ack = inTime(toSlack, { ms: COMMAND_MS, meanwhile: privately(sentence(ANSWERS.takesLong)), log });
    await answer(row, { ...arrival, ack: () => ack() }).finally(() => ack());
  };
  const rows = new Map(table.map((row) => [`${row.kind} ${row.name}`, row]));
  /** Bolt asks every listener about every delivery, so each kind has one for all of its rows. */
  const rowOf = (kind: Kind, name: string): Delivery<Deps> | undefined => rows.get(`${kind} ${name}`);

  app.event(ANY, async ({ event, body, context }) => {
    const row = rowOf('event', event.type);
    if (row !== undefined)
      await answer(row, { body, ack: acknowledged, respond: undefined, taken: readTaken(context) });
  });
  app.action({ action_id: ANY }, async ({ action, body, ack, respond }) => {
    const row = 'action_id' in action ? rowOf('action', action.action_id) : undefined;
    if (row !== undefined) await answerAcknowledged(row, () => ack(), { body, respond });
  });
  app.view({ callback_id: ANY, type: 'view_submission' }, async ({ view, body, ack }) => {
    const row = rowOf('form', view.callback_id);
    if (row !== undefined) await answerForm(row, body, (result) => (result === undefined ? ack() : ack(result)));
  });
  app.shortcut({ callback_id: ANY, type: 'message_action' }, async ({ shortcut, body, ack, respond }) => {
    const row = rowOf('shortcut', shortcut.callback_id);
    if (row !== undefined) await answerAcknowledged(row, () => ack(), { body, respond });
  });
  app.command(ANY, async ({ command, body, ack, respond }) => {
    const row = rowOf('command', command.command);
    if (row !== undefined) await answerCommand(row, (said) => ack(said), { body, respond });
  });
  answerTheRest(app, table, deps);
  app.error(onError(deps));
}

type Kind = Delivery<unknown>['kind'];

type CommandAnswer = ReturnType<typeof privately>;

/** Slack waits three seconds, and a person who submits a form sees within one that it has arrived. */
const FORM_MS = 900;
const COMMAND_MS = 2_000;

const ANY = /^/;

const acknowledged = async (): Promise<'taken'> => 'taken';

/** Handles every unexpected error of a delivery: tells the person what to do about it, and logs why. */
function onError({ workspaces, log }: Pick<RegisterDeps<unknown>, 'workspaces' | 'log'>) {
  return async ({ error, body }: { readonly error: CodedError; readonly body: unknown }): Promise<void> => {
    const isLate = error instanceof NotOpenedError;
    const line = isLate ? log.info : log.error;
    line('A delivery could not be answered', { error, causes: error.originals });
    const { response_url: url, event } = readPerson(body);
    const view = failureSaid(error);
    try {
      if (url !== undefined) {
        const body = JSON.stringify(privately(view));
        const headers = { 'content-type': 'application/json' };
        const { ok, status } = await fetchInTime(url, { method: 'POST', headers, body });
        if (!ok) throw new Error(`The address that came with the press answered ${status}`);
      } else if (event !== undefined) {
        const { channel, user } = event;
        const workspace = await workspaces.ofDelivery(body);
        if (workspace === undefined) return;
        await whisper(workspace.client, { channel, user, threadTs: event.thread_ts }, view);
      }
      // Slack may be out of reach, and then this person cannot be told.
    } catch (failure) {
      log.warn('A person could not be told that something failed', { error: failure });
    }
  };
}
