import { given } from '../given.ts';
import { type AskedUnder, needsSeveral, stagesOfYeses } from '../journal/index.ts';
import type { Doubt, UserId } from '../records/index.ts';
import { type AuthorityContext, readInput } from './context.ts';
import { type AskedCard, type PersonWithInput, type Right, rightOnCard, rightUnder, whyNotYet } from './rights.ts';

/** Other rights on a card: whose approval still counts, who may edit, who may say what became of a call. */

export async function lostYeses(context: AuthorityContext, card: AskedCard, input: string): Promise<readonly UserId[]> {
  const { rule, yeses } = card.asked;
  const { team } = card.approval.thread;
  const stages = stagesOfYeses(rule, yeses);
  const still = await Promise.all(
    yeses.map(async ({ by }, at) => {
      const right = await rightOnCard(context, card, { by: { user: by, team }, input });
      return right.type === 'allowed' && right.stages.includes(stages[at] ?? 0);
    }),
  );
  return yeses.filter((_, at) => still[at] !== true).map(({ by }) => by);
}

/** Judges the edited input by today's rules, because they may put another input to other people, or forbid it. */
export async function judgeEdit(
  { tools, people, judge, ruleNow }: AuthorityContext,
  { asked, approval }: AskedCard,
  { by, input }: PersonWithInput,
): Promise<{ readonly terms: AskedUnder | undefined } | { readonly why: string }> {
  const { requester, thread } = approval;
  const tool = tools.find(asked.tool);
  if (tool === undefined) return { why: `There is no tool named ${asked.tool} any more.` };
  const call = { tool, input: readInput(input), thread, requester };
  const now = judge(call);
  const { effect, ruledBy, secondFactor } = now;
  if (effect === 'denied') return { why: `The rule “${ruledBy?.name ?? ''}” does not allow this call.` };
  if (effect === 'open') return { terms: undefined };
  const found = await ruleNow(now, call);
  if ('why' in found) return { why: whyNotYet(found.why) };
  const { rule } = found;
  if (needsSeveral(rule)) return { why: SEVERAL_FOR_THIS };
  const right = await rightUnder(people, { rule, effect }, approval, by);
  return right.type === 'refused' ? right : { terms: { effect, rule, ...given({ secondFactor }) } };
}

/** Whether this person may say what became of a call. Both the card's rule and today's have to allow it. */
export async function rightToTell(
  { tools, people, judge, ruleNow }: AuthorityContext,
  doubt: Doubt,
  { by, input }: PersonWithInput,
): Promise<Right> {
  const { tool: name, effect, requester, thread } = doubt;
  const shown = await rightUnder(people, doubt, doubt, by);
  const tool = tools.find(name);
  if (shown.type === 'refused' || tool === undefined) return shown;
  // For a call that ran unasked, `input` is what the model wrote, so the tool fills in the rest.
  const parsed = tool.parse(readInput(input));
  const call = { tool, input: parsed.ok ? parsed.input : readInput(input), thread, requester };
  const now = judge(call);
  if (now.effect === 'open' || now.effect === 'denied') return shown;
  const found = await ruleNow(now, call);
  if ('why' in found) return { type: 'refused', why: whyNotYet(found.why) };
  const today = await rightUnder(people, { rule: found.rule, effect }, doubt, by);
  return today.type === 'refused' ? today : shown;
}

const SEVERAL_FOR_THIS =
  'With this change, several people have to decide. Deny this call, and let the agent ask for the changed one.';
