import type { Approval, ApprovalId, StoredTrustTerms } from '../../app/records/index.ts';
import { readApprovalId } from '../payloads/index.ts';
import { listTrusted, openCardForm, type Press, sentence, truthOf } from '../responding/index.ts';
import {
  ANSWERS,
  answerModal,
  denyModal,
  editModal,
  FORMS,
  type MenuVerb,
  type MessageView,
  messageModal,
  NARROWEST,
  referModal,
  termsModal,
  unanswered,
  WIDER,
} from '../views/index.ts';
import type { DecisionDeps } from './decisions.ts';
import { schemaOf } from './forms/edits.ts';

/** The menu of a card: some choices act at once, others open a form. */
export async function onMore(deps: DecisionDeps, press: Press<'approval_more'>): Promise<void> {
  const [verb = '', value = ''] = press.about.split(' ');
  const id = readApprovalId(value);
  if (id === undefined) return press.say(sentence(ANSWERS.unknown));
  const choose = CHOICES.get(verb);
  await (choose === undefined ? press.say(sentence(unanswered('choice'))) : choose(deps, press, id));
}

type Choice = (deps: DecisionDeps, press: Press<'approval_more'>, approval: ApprovalId) => Promise<void>;

const answers: Readonly<Record<MenuVerb, Choice>> = {
  deny: (deps, press, approval) => openCardForm(deps, { press, approval, form: 'approval_deny_reason' }, denyModal),
  answer: (deps, press, approval) => openCardForm(deps, { press, approval, form: 'approval_answer_form' }, answerModal),
  edit: (deps, press, approval) =>
    openCardForm(deps, { press, approval, form: 'approval_edit' }, (asked, memory) =>
      editModal(asked, memory, schemaOf(deps, asked)),
    ),
  terms: (deps, press, approval) =>
    openCardForm(deps, { press, approval, form: 'trust_terms' }, async (asked, memory) => {
      // Only people who may give trust see the choices.
      const offer = (terms: StoredTrustTerms) => deps.approvals.offerTrust(approval, press.by, terms);
      const offered = await offer(NARROWEST);
      if (offered.type !== 'offered')
        return messageModal(sentence(truthOf(offered, press.by.user)), FORMS.trust_terms.title);
      const judged = await Promise.all(WIDER.map(offer));
      const wider = WIDER.filter((_, at) => judged[at]?.type === 'offered');
      return termsModal(asked, memory, wider);
    }),
  // The requester may refer a call without being able to decide it, so the right is judged when the form is sent.
  refer: (deps, press, approval) =>
    openCardForm(deps, { press, approval, form: 'approval_refer' }, referModal, 'everyone'),
  // The thread says that it is stopped, and by whom.
  stop: acting(async ({ runs }, { by }, approval) =>
    (await runs.stopRun(approval, by.user)) === 'stopped' ? undefined : sentence(ANSWERS.runOver),
  ),
  trusted: acting(({ trust }, { by }, { thread }) =>
    listTrusted(trust, { team: thread.team, channel: thread.channel, threadTs: thread.ts, user: by.user }),
  ),
};

/** The choices of the menu, by the word that each carries before its id. */
export const CHOICES: ReadonlyMap<string, Choice> = new Map(Object.entries(answers));

function acting(
  act: (deps: DecisionDeps, press: Press<'approval_more'>, approval: Approval) => Promise<MessageView | undefined>,
): Choice {
  return async (deps, press, id) => {
    const approval = await deps.approvals.find(id);
    const answer = approval === undefined ? sentence(ANSWERS.unknown) : await act(deps, press, approval);
    if (answer !== undefined) await press.say(answer);
  };
}
