import type { Approval, ApprovalId } from '../../app/records/index.ts';
import { type PressedButton, readApprovalId } from '../payloads/index.ts';
import { ANYWHERE, listTrusted, onPress, openCardForm, sentence, truthOf } from '../responding/index.ts';
import {
  ANSWERS,
  answerModal,
  denyModal,
  editModal,
  MENU,
  type MenuVerb,
  type MessageView,
  messageModal,
  NARROWEST,
  REFER_TITLE,
  referModal,
  termsModal,
  unanswered,
} from '../views/index.ts';
import type { DecisionDeps } from './decisions.ts';
import { DENY_TITLE } from './forms/denials.ts';
import { EDIT_TITLE } from './forms/edits.ts';
import { TERMS_TITLE } from './forms/terms.ts';
import { ANSWER_TITLE } from './instead.ts';

/** The menu of a card: some choices act at once, others open a form. */
export const onMore = onPress(ANYWHERE, async (deps: DecisionDeps, press) => {
  const [verb = '', value = ''] = press.value.split(' ');
  const id = readApprovalId(value);
  const choice = CHOICES.get(verb);
  if (id !== undefined && press.place.type === 'message' && choice?.type === 'opens') {
    return choice.open(deps, press, id);
  }
  const approval = id === undefined ? undefined : await deps.approvals.find(id);
  await press.say(approval === undefined ? sentence(ANSWERS.unknown) : await said(deps, choice, press, approval));
});

type Choice =
  | {
      readonly type: 'opens';
      readonly open: (deps: DecisionDeps, press: PressedButton, approval: ApprovalId) => Promise<void>;
    }
  | {
      readonly type: 'acts';
      readonly act: (deps: DecisionDeps, press: PressedButton, approval: Approval) => Promise<MessageView>;
    };

const answers: Readonly<Record<MenuVerb, Choice>> = {
  [MENU.deny]: opens(({ deps, form }) => openCardForm(deps, { ...form, title: DENY_TITLE }, denyModal)),
  [MENU.answer]: opens(({ deps, form }) => openCardForm(deps, { ...form, title: ANSWER_TITLE }, answerModal)),
  [MENU.edit]: opens(({ deps, form }) =>
    openCardForm(deps, { ...form, title: EDIT_TITLE }, (asked, memory) => {
      const schema = deps.tools().find(({ name }) => name === asked.tool)?.inputSchema;
      return editModal(asked, memory, schema);
    }),
  ),
  [MENU.terms]: opens(({ deps, form }) =>
    openCardForm(deps, { ...form, title: TERMS_TITLE }, async (asked, memory) => {
      // Only those who may give trust see the choices.
      const offered = await deps.approvals.offerTrust(form.approval, form.press.by, NARROWEST);
      return offered.type === 'offered'
        ? termsModal(asked, memory)
        : messageModal(sentence(truthOf(offered)), TERMS_TITLE);
    }),
  ),
  // Whoever asked may pass it on without being able to decide, so it is judged when it is sent.
  [MENU.refer]: opens(({ deps, form }) => openCardForm(deps, { ...form, title: REFER_TITLE }, referModal, 'anybody')),
  [MENU.stop]: {
    type: 'acts',
    act: async ({ runs }, { by }, { thread }) =>
      sentence((await runs.stop(thread, by.user)) === 'stopped' ? ANSWERS.stopped : ANSWERS.nothingRuns),
  },
  [MENU.trusted]: {
    type: 'acts',
    act: ({ trust }, { by }, { thread }) =>
      listTrusted(trust, { team: thread.team, channel: thread.channel, threadTs: thread.ts, user: by.user }),
  },
};

/** By what a choice carries before its id. */
export const CHOICES: ReadonlyMap<string, Choice> = new Map(Object.entries(answers));

interface Opening {
  readonly deps: DecisionDeps;
  readonly form: { readonly press: PressedButton; readonly approval: ApprovalId };
}

function opens(open: (opening: Opening) => Promise<void>): Choice {
  return { type: 'opens', open: (deps, press, approval) => open({ deps, form: { press, approval } }) };
}

async function said(
  deps: DecisionDeps,
  choice: Choice | undefined,
  press: PressedButton,
  approval: Approval,
): Promise<MessageView> {
  return choice?.type === 'acts' ? choice.act(deps, press, approval) : sentence(unanswered('choice'));
}
