import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { given } from '../../app/given.ts';
import { errorText, type Log } from '../../app/log.ts';
import { isSlackError, mayHaveArrived, refusalIn } from '../sender/index.ts';
import { ANSWERS, loadingModal, type MessageView, messageModal } from '../views/index.ts';
import { withNames } from './names.ts';
import { sentence } from './tell.ts';

/**
 * Slack did not open a view: it takes each trigger once and for three seconds, or was busy or away for as long. A new press has
 * a new trigger.
 */
export class NotOpenedError extends Error {
  override readonly name = 'NotOpenedError';
  /** Bolt hands an error with a code on as it is. */
  readonly code = 'view_not_opened';
}

export interface OpenViewDeps {
  readonly client: WebClient;
  readonly log: Log;
}

/** Opens a view at once, because a trigger lives three seconds, and fills it afterwards. */
export async function openView(
  deps: OpenViewDeps,
  { trigger, loading }: { readonly trigger: string; readonly loading: ModalView },
  fill: () => Promise<ModalView>,
): Promise<void> {
  const id = await openOnce(deps, trigger, loading);
  if (id === undefined) return;
  try {
    await showIn(deps, { id }, await fill());
    // Slack may refuse what is to be shown. The person waits in front of the view, so it says so.
  } catch (error) {
    deps.log.error('A view could not be filled', { error });
    await showIn(deps, { id }, messageModal(sentence(ANSWERS.broken), loading.title.text));
  }
}

/** What a person is told whose press met this error. */
export const failureSaid = (error: unknown): MessageView =>
  sentence(error instanceof NotOpenedError ? ANSWERS.notOpened : ANSWERS.broken);

/** Opens a view once and returns its id. Rejects with a `NotOpenedError` where a new press may open it. */
export async function openOnce(deps: OpenViewDeps, trigger: string, view: ModalView): Promise<string | undefined> {
  try {
    return await openWhole(deps, trigger, view);
    // A refusal of the view itself is a bug of the bot, and is thrown as it is.
  } catch (error) {
    const code = refusalIn(error)?.code;
    if (code !== undefined && !DEAD.includes(code)) throw error;
    throw new NotOpenedError(`A view was not opened in time: ${errorText(error)}. Press again.`, { cause: error });
  }
}

const DEAD = ['expired_trigger_id', 'invalid_trigger_id', 'exchanged_trigger_id'];

/**
 * Where Slack's answer is lost, the view is opened again: a trigger opens one view, so Slack refuses the second if the first
 * stands, and the first is found by its trigger.
 */
async function openWhole({ client, log }: OpenViewDeps, trigger: string, view: ModalView): Promise<string | undefined> {
  const named = { ...(await withNames(client, view)), external_id: trigger };
  const send = () => client.views.open({ trigger_id: trigger, view: named });
  try {
    return (await send()).view?.id;
    // The answer of Slack may be lost although the view is open.
  } catch (error) {
    if (!mayHaveArrived(error)) throw error;
    log.warn('A view may or may not be open; it is opened again', { error });
    const again = await send().catch((refusal: unknown) => {
      if (!OPENED.some((code) => isSlackError(refusal, code))) throw refusal;
      return client.views.update({ external_id: trigger, view: named });
    });
    return again.view?.id;
  }
}

const OPENED = ['exchanged_trigger_id', 'duplicate_external_id'];

/** The same, where the view becomes a form. */
export function openForm(
  deps: OpenViewDeps,
  { trigger, title }: { readonly trigger: string; readonly title: string },
  fill: () => Promise<ModalView>,
): Promise<void> {
  return openView(deps, { trigger, loading: loadingModal('One moment …', title) }, fill);
}

/** Replaces what a view shows. A view that was closed, or shows something newer, is left as it is. */
export async function showIn(
  { client, log }: OpenViewDeps,
  { id, hash }: { readonly id: string; readonly hash?: string | undefined },
  view: ModalView,
): Promise<void> {
  try {
    await client.views.update({ view_id: id, ...given({ hash }), view: await withNames(client, view) });
    // The person closed the view, or changed it before this came. Any other error is thrown.
  } catch (error) {
    if (!PASSED.some((code) => isSlackError(error, code))) throw error;
    log.debug('A view was closed, or showed something newer, before this came', { error });
  }
}

const PASSED = ['not_found', 'hash_conflict'];
