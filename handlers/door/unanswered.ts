import type { App } from '@slack/bolt';
import type { Log } from '../../app/log.ts';
import { readPerson, readPress, readTitle } from '../payloads/index.ts';
import { type Delivery, inPlace, openOnce, privately, type Respond, sentence, showIn } from '../responding/index.ts';
import { ANSWERS, messageModal, unanswered } from '../views/index.ts';
import type { Workspaces } from '../workspaces/index.ts';

type Named = Pick<Delivery<unknown>, 'kind' | 'name'>;

export interface UnansweredDeps {
  readonly workspaces: Pick<Workspaces, 'ofDelivery'>;
  readonly log: Log;
}

/**
 * Answers buttons, commands and forms without a row in the table, such as a button drawn before an update. Bolt runs every
 * listener that matches, so these match what no row does. Unanswered, Slack would show a warning sign, or close a form as
 * if it had worked.
 */
export function answerTheRest(app: App, table: readonly Named[], { workspaces, log }: UnansweredDeps): void {
  const noneOfOur = (kind: Named['kind']): RegExp =>
    noneOf(table.filter((row) => row.kind === kind).map((row) => row.name));
  const note = (delivery: string) => log.warn('A delivery was not acted on', { why: 'no row answers it', delivery });
  const say = (what: 'button' | 'choice' | 'command', respond: Respond) =>
    respond(privately(sentence(unanswered(what))));

  /** Where Slack sends no address for the answer: in the view of the button, or above the page. */
  const show = async (what: 'button' | 'choice', body: unknown, { trigger, id }: Shown) => {
    const workspace = await workspaces.ofDelivery(body);
    const view = messageModal(sentence(unanswered(what)), TITLE);
    if (workspace === undefined) return;
    const deps = { client: workspace.client, log };
    if (id === undefined) await openOnce(deps, trigger, view);
    else await showIn(deps, { id }, view);
  };

  app.action({ action_id: noneOfOur('action') }, async ({ action, body, ack, respond }) => {
    await ack();
    note('action_id' in action ? action.action_id : action.type);
    const { trigger = '', place } = readPress(body) ?? {};
    if (place === undefined || place.type === 'message') return void (await say('button', respond));
    await show('button', body, { trigger, ...(place.type === 'view' ? { id: place.id } : {}) });
  });
  app.command(noneOfOur('command'), async ({ command, ack, respond }) => {
    await ack();
    note(command.command);
    await say('command', respond);
  });
  app.shortcut({ callback_id: noneOfOur('shortcut') }, async ({ shortcut, body, ack, respond }) => {
    await ack();
    note(shortcut.callback_id);
    if (readPerson(body).response_url !== undefined) return void (await say('choice', respond));
    // A shortcut that is about no message has only a modal for its answer.
    await show('choice', body, { trigger: shortcut.trigger_id });
  });
  app.view({ callback_id: noneOfOur('form'), type: 'view_submission' }, async ({ view, body, ack }) => {
    await ack(inPlace(messageModal(sentence(ANSWERS.formUnread), readTitle(body))));
    note(view.callback_id);
  });
  // A person who closes a view needs no answer.
  app.view({ callback_id: /.*/, type: 'view_closed' }, async ({ view, ack }) => {
    await ack();
    note(view.callback_id);
  });
}

interface Shown {
  readonly trigger: string;
  /** Of the view that is open. */
  readonly id?: string;
}

const TITLE = 'Nothing happened';

function noneOf(names: readonly string[]): RegExp {
  const escaped = names.map((name) => name.replace(/[^\w]/g, '\\$&'));
  return new RegExp(`^(?!(?:${escaped.join('|')})$)`);
}
