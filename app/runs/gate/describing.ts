import { canonical, type ToolUseBlock } from '../../../interventions/index.ts';
import type { Suggestions } from '../../approvals/index.ts';
import type { Authority, People } from '../../authority/index.ts';
import { given } from '../../given.ts';
import { type Ask, type AskedUnder, callNow, judgedAlike, needsSeveral, type RunState } from '../../journal/index.ts';
import { LIMITS } from '../../limits.ts';
import type { Undeclared } from '../../records/index.ts';
import { type Hidden, namesOf, type Redaction, undeclaredOf } from '../../secrets/index.ts';
import {
  type Deadlines,
  definitionHash,
  type Looked,
  look,
  type PartFailed,
  type ToolTable,
} from '../../tools/index.ts';
import type { ToolLog } from '../telling/tool-log.ts';
import { whyNobodyDecides } from './nobody-decides.ts';

/** What people are asked, from the tool's own definition, what it sees, and what the agent said; without the secrets in it. */
export type Described =
  | ({ readonly type: 'described'; readonly lifetimeMs: number; readonly deadlines: Deadlines } & Words)
  /** Nobody is asked: nobody may decide any more, or what a yes would rest on cannot be seen. */
  | { readonly type: 'unasked'; readonly problem: string; readonly toThread?: string };

interface Words {
  readonly asked: Pick<
    Ask,
    | 'definition'
    | 'policy'
    | 'effect'
    | 'summary'
    | 'reason'
    | 'rule'
    | 'ruledBy'
    | 'trust'
    | 'preview'
    | 'precondition'
    | 'secondFactor'
    | 'suggestion'
    | 'wants'
  >;
  /** Do the rules want a question? Where they do not any more, what was asked waits as it was asked. */
  readonly needed: boolean;
  readonly input: string;
  /** Where the input hides something: how it is shown, and what it hides. */
  readonly shown?: {
    readonly text: string;
    readonly hides: readonly string[];
    readonly undeclared: readonly Undeclared[];
  };
}

export interface DescribingDeps {
  readonly tools: ToolTable;
  readonly redaction: Redaction;
  readonly authority: Pick<Authority, 'judge' | 'policyOf' | 'offerOnCard'>;
  readonly run: RunState;
  readonly people: People;
  readonly suggestions: Pick<Suggestions, 'ruleFor'>;
  readonly approvalLifetimeMs: number;
  readonly toolLog: ToolLog;
}

export interface DescribeWish {
  readonly said: string;
  readonly signal: AbortSignal;
  /**
   * The judgement that people were asked under about this very call. Where that still holds, they have seen how things stood then, and
   * looking once more would show nobody anything.
   */
  readonly asked: AskedUnder | undefined;
}

export async function describeCall(
  { tools, redaction, authority, run, people, suggestions, approvalLifetimeMs, toolLog }: DescribingDeps,
  { toolUseId, name, input }: Pick<ToolUseBlock, 'toolUseId' | 'name' | 'input'>,
  { said, signal, asked }: DescribeWish,
): Promise<Described> {
  const tool = tools.find(name);
  if (tool === undefined) throw new Error(`Nobody is asked about ${name}: there is no such tool.`);
  const { thread, requester } = run;
  const key = callNow(run, toolUseId);
  const failed: PartFailed = (part, cause) => toolLog.failed({ call: key, tool, input }, part, cause);
  const judged = authority.judge({ tool, input, thread, requester });
  const { effect, rule, ruledBy, secondFactor } = judged;
  if (effect === 'denied') return unasked(`The rule “${ruledBy?.name ?? ''}” does not allow this call.`);
  if (effect !== 'open') {
    const nobody = await whyNobodyDecides(people, run, { key, tool: name, effect, rule });
    if (nobody !== undefined) return { ...unasked(nobody.toModel), toThread: nobody.toThread };
  }
  const looks = asked === undefined || !judgedAlike(asked, judged);
  const looked: Looked = looks ? await look(tool, input, signal, failed) : { type: 'looked' };
  if (looked.type === 'blind') return unasked(looked.problem);

  const { shown, hidden } = redaction.input(tool, input);
  const safe = (text: string): string => redaction.text(text, hidden);
  const offer = authority.offerOnCard({ tool, input, thread, requester, shown });
  // What is hidden is not spelt out in a line.
  const offered = offer === undefined || hidesFields(hidden, Object.keys(offer.where ?? {})) ? undefined : offer;
  const { preview, precondition } = looked;
  // A rule that asks is stronger than one that allows, so where one does, there is nothing to suggest.
  const suggestion =
    looks && effect === 'asked' && ruledBy === undefined && !needsSeveral(rule)
      ? await suggestions.ruleFor(name, { user: requester, team: thread.team })
      : undefined;
  return {
    type: 'described',
    needed: effect !== 'open',
    lifetimeMs: approvalLifetimeMs,
    deadlines: tool.deadlines ?? {},
    input: canonical(input),
    ...(hidden.length === 0
      ? {}
      : { shown: { text: canonical(shown), hides: namesOf(hidden), undeclared: undeclaredOf(hidden) } }),
    asked: {
      definition: definitionHash(tool),
      policy: authority.policyOf(tool),
      // A gate that changed under an open call: then a person is asked.
      effect: effect === 'open' ? 'asked' : effect,
      summary: safe(tool.summarise(input, failed)),
      rule,
      ...given({ ruledBy, secondFactor, wants: tool.wants?.(shown) }),
      ...(said === '' ? {} : { reason: safe(said).slice(0, LIMITS.reasonChars) }),
      ...given({ trust: offered, suggestion }),
      ...(preview === undefined ? {} : { preview: safe(preview) }),
      ...given({ precondition: precondition && { ...precondition, text: safe(precondition.text) } }),
    },
  };
}

const unasked = (problem: string) => ({ type: 'unasked' as const, problem });

function hidesFields(hidden: readonly Hidden[], fields: readonly string[]): boolean {
  return hidden.some(({ path: [field] }) => field === undefined || fields.includes(field));
}
