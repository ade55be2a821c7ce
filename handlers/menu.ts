import type { Approval } from '../app/records.ts';
import type { Answer } from './arrival.ts';
import { answer, type DecisionDeps, misread } from './decisions.ts';
import { DENY_TITLE } from './denials.ts';
import { EDIT_TITLE } from './edits.ts';
import { openForm } from './forms.ts';
import { ANSWER_TITLE } from './instead.ts';
import { type PressedButton, readApprovalId, readPress } from './parse-press.ts';
import { TERMS_TITLE } from './terms.ts';
import { listTrusted, sentence } from './trusting.ts';
import { truthOf } from './truths.ts';
import { MENU } from './views/action-ids.ts';
import { answerModal } from './views/answer-modal.ts';
import { ANSWERS, unanswered } from './views/answers.ts';
import type { MessageView } from './views/blocks.ts';
import { denyModal } from './views/deny-modal.ts';
import { editModal } from './views/edit-modal.ts';
import { messageModal } from './views/input-modal.ts';
import { REFER_TITLE, referModal } from './views/refer-modal.ts';
import { NARROWEST, termsModal } from './views/terms-modal.ts';

/** The menu of a card: some choices act at once, others open a form. */
export function onMore(deps: DecisionDeps): Answer {
  return async (arrival) => {
    await arrival.ack();
    const press = readPress(arrival.body);
    if (press === undefined) return misread(deps, arrival);
    const [verb = '', value = ''] = press.value.split(' ');
    const id = readApprovalId(value);
    const { place } = press;
    if (id !== undefined && place.type === 'message' && verb === MENU.terms) {
      return openForm(deps, { press, approval: id, title: TERMS_TITLE }, async (asked, memory) => {
        // Only those who may give trust see the choices.
        const offered = await deps.approvals.offerTrust(id, press.by, NARROWEST);
        return offered.type === 'offered'
          ? termsModal(asked, memory)
          : messageModal(sentence(truthOf(offered)), TERMS_TITLE);
      });
    }
    if (id !== undefined && place.type === 'message' && verb === MENU.refer) {
      // Whoever asked may pass it on without being able to decide, so it is judged when it is sent.
      return openForm(deps, { press, approval: id, title: REFER_TITLE }, referModal, 'anybody');
    }
    if (id !== undefined && place.type === 'message' && verb === MENU.edit) {
      const schemaOf = (tool: string) => deps.tools().find(({ name }) => name === tool)?.inputSchema;
      return openForm(deps, { press, approval: id, title: EDIT_TITLE }, (asked, memory) =>
        editModal(asked, memory, schemaOf(asked.tool)),
      );
    }
    const form = FORMS.get(verb);
    if (id !== undefined && place.type === 'message' && form !== undefined) {
      return openForm(deps, { press, approval: id, title: form.title }, form.draw);
    }
    const approval = id === undefined ? undefined : await deps.approvals.find(id);
    const view = approval === undefined ? sentence(ANSWERS.unknown) : await chosen(deps, verb, press, approval);
    await answer(deps, arrival, press, view);
  };
}

const FORMS: ReadonlyMap<string, { readonly title: string; readonly draw: typeof denyModal }> = new Map([
  [MENU.deny, { title: DENY_TITLE, draw: denyModal }],
  [MENU.answer, { title: ANSWER_TITLE, draw: answerModal }],
]);

async function chosen(
  { runs, trust }: DecisionDeps,
  verb: string,
  { by }: PressedButton,
  { thread }: Approval,
): Promise<MessageView> {
  switch (verb) {
    case MENU.stop:
      return sentence((await runs.stop(thread, by.user)) === 'stopped' ? ANSWERS.stopped : ANSWERS.nothingRuns);
    case MENU.trusted:
      return listTrusted(trust, { team: thread.team, channel: thread.channel, threadTs: thread.ts, user: by.user });
    default:
      return sentence(unanswered('choice'));
  }
}
