import type { VerdictPress } from '../../app/approvals/answers.ts';
import type { Core } from '../../app/assembly/index.ts';
import { ApprovalId, type RunId, TrustId, type UserId } from '../../app/records/index.ts';
import { readBlock } from '../../handlers/payloads/press.ts';
import { TEAM } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { parts } from '../handlers/views/fits.ts';
import type { World } from './world.ts';

/** A button as Slack shows it, with the message that it stands on. */
interface Button {
  readonly card: { readonly channel: string; readonly ts: string };
  readonly action: string;
  readonly value: string;
  /** The run that its block names. */
  readonly run: RunId | undefined;
}

/** While one of these is drawn, a question is open. */
const QUESTIONS: readonly string[] = ['approval_deny', 'doubt_skip'];
/** People press these as well in a busy night. */
const MORE: readonly string[] = ['list_approve_all', 'list_deny_all', 'trust_end', 'approval_again'];

export interface Pressing {
  readonly pickPerson: () => UserId;
  /** The parts of a running replica, which gets the press. `undefined` while none runs. */
  readonly pickCore: () => Core | undefined;
  readonly drawn: readonly SlackMessage[];
}

/** A person presses a drawn button. */
export function pressSomething({ chance, schedule, kind }: World, { pickPerson, pickCore, drawn }: Pressing): void {
  const more = kind === 'busy' && chance.happens(0.25);
  const button = chance.pick(drawn.flatMap((message) => buttonsOn(message, more ? MORE : QUESTIONS)));
  if (button === undefined) return;
  const by = { user: pickPerson(), team: TEAM };
  schedule.note(`${by.user} presses ${more ? button.action : 'something'} on ${button.card.ts}`);
  if (more) {
    const core = pickCore();
    if (core !== undefined) pressMore(core, button, by);
    return;
  }
  const { card, run } = button;
  const id = ApprovalId.parse(button.value);
  if (button.action === 'doubt_skip') {
    const how = chance.pick(['retry', 'skip', 'happened'] as const) ?? 'skip';
    return void pickCore()?.questions.doubt.answer(id, { how }, { by, card });
  }
  const edits = kind === 'busy' && chance.happens(0.2);
  const edit = edits ? { edit: JSON.stringify({ service: chance.pick(['payments', 'search']) }) } : {};
  const verdict = edits ? 'approve' : (chance.pick(['approve', 'approve', 'deny', 'trust'] as const) ?? 'deny');
  for (let time = 0; time < (chance.happens(0.2) ? 2 : 1); time += 1)
    void pressVerdict(pickCore, { approval: id, run, verdict, by, from: { type: 'card', card }, ...edit });
}

/** Who is asked to confirm a guarded call does so. Another replica may get that press. */
async function pressVerdict(pickCore: Pressing['pickCore'], press: VerdictPress): Promise<void> {
  const asked = await pickCore()?.approvals.decide(press);
  if (asked?.type !== 'unconfirmed') return;
  await pickCore()?.approvals.decide({ ...press, confirms: (asked.edit ?? asked.approval).digest });
}

function pressMore(core: Core, { action, value, run, card }: Button, by: { user: UserId; team: string }): void {
  switch (action) {
    case 'trust_end':
      return void core.trust.revoke(TrustId.parse(value), by.user).catch(() => {});
    case 'approval_again':
      return void core.approvals.askAgain(ApprovalId.parse(value), by);
    default: {
      const verdict = action === 'list_approve_all' ? 'approve' : 'deny';
      return void core.approvals.decideAll({ list: ApprovalId.parse(value), run, verdict, by, card });
    }
  }
}

export function questionsOn(message: SlackMessage): readonly Button[] {
  return buttonsOn(message, QUESTIONS);
}

function buttonsOn({ channel, ts, blocks }: SlackMessage, actions: readonly string[]): readonly Button[] {
  return blocks.flatMap((block) =>
    parts([block]).flatMap(({ action_id: action, value }): readonly Button[] =>
      typeof action === 'string' && typeof value === 'string' && actions.includes(action)
        ? [{ card: { channel, ts }, action, value, run: readBlock(`${block.block_id}`).run }]
        : [],
    ),
  );
}
