import { z } from 'zod';
import type { Json } from '../../../interventions/index.ts';
import {
  type DecisionTerms,
  type DefinedTool,
  isTool,
  readTerms,
  type Tool,
  type WrittenTerms,
  writtenTermsShape,
} from '../../tools/index.ts';

/** What a rule wants: `deny` beats `guard`, `guard` beats `ask`, `ask` beats `allow`. */
export type Wanted = 'deny' | 'guard' | 'ask' | 'allow';

/** Strongest first. */
export const WANTED: readonly Wanted[] = ['deny', 'guard', 'ask', 'allow'];

/**
 * One rule of a deployment about some calls. A call fits when it matches every condition that the rule names. Write it
 * with `defineRule`, which knows the input of the tool it names.
 */
export interface Rule<Input = never> extends WrittenTerms {
  /** Stands on the card and in the audit. */
  readonly name: string;
  /**
   * `deny`: the call does not run. `guard`: a person has to approve it every time. `ask`: a person has to approve it,
   * or trust covers it. `allow`: it runs without a question, and `because` says why that is safe.
   */
  readonly effect: Wanted;
  readonly tool?: OneOrMore<string | DefinedTool<Input>> | undefined;
  /** Names of tool servers, as in their list. */
  readonly server?: OneOrMore<string> | undefined;
  /** Slack ids of channels. */
  readonly channel?: OneOrMore<string> | undefined;
  /** Slack ids of the people who asked the agent. */
  readonly requester?: OneOrMore<string> | undefined;
  /** Must depend on the input alone: it is called again before the call starts. If it throws, `allow` does not fit. */
  readonly when?: ((input: Input) => boolean) | undefined;
  readonly because?: string | undefined;
  /** A rule on trial: the bot records what it would have done, and it changes nothing. */
  readonly shadow?: boolean | undefined;
}

type OneOrMore<Value> = Value | readonly Value[];

/** A rule in the form that the bot uses. */
export interface ReadRule extends DecisionTerms {
  readonly name: string;
  readonly effect: Wanted;
  /** Absent: any. */
  readonly tools?: readonly string[] | undefined;
  readonly servers?: readonly string[] | undefined;
  readonly channels?: readonly string[] | undefined;
  readonly requesters?: readonly string[] | undefined;
  readonly when?: ((input: unknown) => unknown) | undefined;
  readonly because?: string | undefined;
  readonly shadow: boolean;
}

/** Returns the rule unchanged. Its type gives `when` the input of the named tool. */
export function defineRule<Input = Readonly<Record<string, unknown>>>(rule: Rule<Input>): Rule {
  return rule;
}

export interface RuledCall {
  readonly tool: Pick<Tool, 'name' | 'origin' | 'typed'>;
  readonly input: Json;
  readonly channel: string;
  readonly requester: string;
}

/** The rules that fit a call, in their order. */
export function fitting(rules: readonly ReadRule[], call: RuledCall): readonly ReadRule[] {
  return rules.filter((rule) => isAbout(rule, call) && isMet(rule, call));
}

function isAbout({ tools, servers, channels, requesters }: ReadRule, { tool, channel, requester }: RuledCall): boolean {
  const named = (names: readonly string[] | undefined, name: string) => names?.includes(name) !== false;
  return (
    named(tools, tool.name) && named(servers, tool.origin) && named(channels, channel) && named(requesters, requester)
  );
}

/** Whether `when` accepts the call. For a rule that allows, only `true` does; for any other rule, everything but `false`. */
function isMet({ when, effect }: ReadRule, { tool, input }: Pick<RuledCall, 'tool' | 'input'>): boolean {
  if (when === undefined) return true;
  try {
    const answer = when(tool.typed === undefined ? input : tool.typed(input));
    return effect === 'allow' ? answer === true : answer !== false;
    // `when` is code of the deployment and may throw. A rule that would let the call run then does not fit.
  } catch {
    return effect !== 'allow';
  }
}

/** Whether a rule fits calls of which only some properties are known: all of them, some, or none. */
export function fitOf(
  rule: ReadRule,
  { tool, input, channel, requester }: Pick<RuledCall, 'tool'> & Partial<RuledCall>,
): 'always' | 'sometimes' | 'never' {
  const named = (names: readonly string[] | undefined, name: string | undefined) =>
    names === undefined ? 'always' : name === undefined ? 'sometimes' : names.includes(name) ? 'always' : 'never';
  const about = [
    named(rule.tools, tool.name),
    named(rule.servers, tool.origin),
    named(rule.channels, channel),
    named(rule.requesters, requester),
  ];
  if (about.includes('never')) return 'never';
  if (input === undefined) return rule.when !== undefined || about.includes('sometimes') ? 'sometimes' : 'always';
  if (!isMet(rule, { tool, input })) return 'never';
  return about.includes('sometimes') ? 'sometimes' : 'always';
}

/** The rule that counts: the first of those with the strongest effect. */
export function strongest(fit: readonly ReadRule[]): ReadRule | undefined {
  const live = fit.filter(({ shadow }) => !shadow);
  return WANTED.map((wanted) => live.find(({ effect }) => effect === wanted)).find((rule) => rule !== undefined);
}

export function strongerOrEqual(one: ReadRule, other: ReadRule): boolean {
  return WANTED.indexOf(one.effect) <= WANTED.indexOf(other.effect);
}

const text = (what: string) => z.string(`must be ${what}`).trim().min(1, `must be ${what}`);
const oneOrMore = <Value extends z.ZodType>(value: Value, what: string) =>
  z
    .union([value, z.array(value).min(1, 'must hold one, or be left out')], `must be ${what}, or a list of them`)
    .transform((found): readonly z.output<Value>[] => (Array.isArray(found) ? found : [found]));

const ToolName = z.union([z.string(), z.custom<Tool>(isTool)], 'must be a tool or the name of one');

const SERVER = 'the name of a tool server';
const CHANNEL = 'the Slack id of a channel (C…)';
const PERSON = 'the Slack id of a person (U…)';

export const RuleSchema = z
  .strictObject({
    name: text('a name that people will read').max(80, 'must be at most 80 characters'),
    effect: z.enum(['deny', 'guard', 'ask', 'allow'], "must be 'deny', 'guard', 'ask' or 'allow'"),
    tool: oneOrMore(ToolName, 'a tool or the name of one').optional(),
    server: oneOrMore(text(SERVER), SERVER).optional(),
    channel: oneOrMore(z.string().regex(/^[CGD][A-Z0-9]{2,}$/, `must be ${CHANNEL}`), CHANNEL).optional(),
    requester: oneOrMore(z.string().regex(/^[UW][A-Z0-9]{2,}$/, `must be ${PERSON}`), PERSON).optional(),
    when: z
      .custom<(input: unknown) => unknown>(
        (value) => typeof value === 'function',
        'must be a function: (input) => true or false',
      )
      .optional(),
    because: text('a reason').max(300, 'must be at most 300 characters').optional(),
    shadow: z.boolean('must be true or false').optional(),
    ...writtenTermsShape,
  })
  .superRefine((rule, context) => {
    const wrong = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (rule.effect === 'allow' && rule.because === undefined)
      wrong('because', 'is missing: this rule lets calls run without asking people, so say why that is safe');
    const asks = rule.effect === 'ask' || rule.effect === 'guard';
    const people = rule.approvers ?? rule.stages ?? rule.quorum ?? rule.selfApproval;
    if (!asks && people !== undefined)
      wrong('effect', `is '${rule.effect}', so no person is asked. Leave the approvers out`);
  })
  .transform(
    ({ tool, server, channel, requester, shadow = false, ...rest }): ReadRule => ({
      ...readTerms(rest),
      shadow,
      tools: tool?.map((one) => (typeof one === 'string' ? one : one.name)),
      servers: server,
      channels: channel,
      requesters: requester,
    }),
  );
