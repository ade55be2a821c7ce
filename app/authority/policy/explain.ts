import { canonical, type Json } from '../../../interventions/index.ts';
import { stagesOf } from '../../journal/index.ts';
import { type Stage, type StoredDecisionRule, UserId } from '../../records/index.ts';
import type { Tool } from '../../tools/index.ts';
import type { RuleNow } from '../approvers/look-up.ts';
import { whyNoApprover } from '../approvers/possible.ts';
import { offerOnCard } from './offers.ts';
import { type Judgement, judgeCall } from './policy.ts';
import { fitting, type ReadRule } from './rules.ts';

/** Explains line by line what would happen to a call, and why. Calls no tool and asks no person. */
export interface Explained {
  readonly tool: Tool;
  readonly input: Json;
  readonly rules: readonly ReadRule[];
  readonly channel: string;
  readonly requester: string;
  readonly ruleNow: RuleNow;
}

export async function explain({
  tool,
  input,
  rules,
  channel,
  requester,
  ruleNow,
}: Explained): Promise<readonly string[]> {
  const parsed = tool.parse(input);
  if (!parsed.ok)
    return [`This input does not fit ${tool.name}, so the call fails without a question: ${parsed.problem}`];
  const call = {
    tool,
    input: parsed.input,
    thread: { team: 'T', channel, ts: '0' },
    requester: UserId.parse(requester),
  };
  const judged = judgeCall(rules, call);
  const { effect, ruledBy, shadows } = judged;
  const fit = fitting(rules, { ...call, channel });
  const by =
    ruledBy === undefined
      ? `the definition of ${tool.name} says so`
      : `the rule ${JSON.stringify(ruledBy.name)} says so`;
  const asks = effect === 'asked' || effect === 'guarded';
  const found = asks ? await ruleNow(judged, call) : judged;
  const rule = 'rule' in found ? found.rule : judged.rule;
  const lack = () => (asks ? whyNoApprover(rule, effect, { requester: call.requester }) : undefined);
  const none = 'rule' in found ? lack() : found.why;
  const offer = none === undefined ? offerOnCard(rules, { ...call, shown: call.input }, judged) : undefined;
  return [
    `${tool.name} ${canonical(parsed.input)}`,
    `${becomes(tool, effect)}: ${by}.`,
    ...(ruledBy?.because === undefined ? [] : [`Because: ${ruledBy.because}`]),
    ...(asks && none === undefined ? [`Who decides: ${whoDecides(rule)}.`] : []),
    ...(none === undefined
      ? []
      : [`But the call is refused without a question: no person can approve it, because ${none}.`]),
    ...(offer === undefined ? [] : [`One press of Trust covers: ${offer.line}`]),
    ...fit
      .filter(({ shadow, name }) => !shadow && name !== ruledBy?.name)
      .map(
        ({ name, effect: wanted }) =>
          `The rule ${JSON.stringify(name)} (${wanted}) fits too, but is weaker or stands later.`,
      ),
    ...shadows.map(
      ({ name, would }) =>
        `The rule ${JSON.stringify(name)} is on trial and changes nothing yet. It would say ${would}.`,
    ),
  ];
}

/** A tool that asks a person something cannot be trusted, so it asks every time. */
function becomes({ wants }: Tool, effect: Judgement['effect']): string {
  return wants !== undefined && effect === 'asked' ? BECOMES.guarded : BECOMES[effect];
}

const BECOMES = {
  denied: 'The call is refused',
  open: 'The call runs without a question',
  asked: 'A person is asked, unless the call is trusted',
  guarded: 'A person is asked every time',
} as const;

function whoDecides(rule: StoredDecisionRule): string {
  const stages = stagesOf(rule).map(stageWords);
  const self = rule.approvers.length > 0 && !rule.selfApproval ? ', but not the person who asked' : '';
  return `${stages.join(', then ')}${self}`;
}

function stageWords({ approvers, quorum = 1 }: Stage): string {
  if (approvers.length === 0) return 'the person who asked';
  return quorum === 1 ? approvers.join(' or ') : `${quorum} of ${approvers.join(', ')}`;
}
