import { canonical, type Timers, type ToolUseBlock } from '../../../interventions/index.ts';
import type { SuggestRule } from '../../approvals/index.ts';
import type { Authority, People } from '../../authority/index.ts';
import { given } from '../../given.ts';
import {
  type Ask,
  type AskedUnder,
  callNow,
  judgedAlike,
  needsSeveral,
  type RunState,
  steeredBy,
} from '../../journal/index.ts';
import { LIMITS } from '../../limits.ts';
import type { Undeclared } from '../../records/index.ts';
import { type Hidden, namesOf, type Redaction, undeclaredOf } from '../../secrets/index.ts';
import { withLimit } from '../../time/index.ts';
import {
  betweenReadings,
  type Deadlines,
  definitionHash,
  type Looked,
  look,
  type ToolTable,
} from '../../tools/index.ts';
import type { ToolLog } from '../telling/tool-log.ts';
import { whoDecides } from './who-decides.ts';

/** What people are asked about a call: from the tool's definition, its preview and what the agent said, without secrets. */
export type Described =
  | ({ readonly type: 'described'; readonly lifetimeMs: number; readonly deadlines: Deadlines } & Words)
  /** No question is asked: no person may decide, or the tool cannot see what an approval would rest on. */
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
    | 'approvedInARow'
    | 'wants'
  >;
  /** Whether the rules still ask about this call. If they no longer do, a question that is already open stays as it is. */
  readonly needed: boolean;
  readonly input: string;
  /** Set when the input contains secrets: the text to show, and the names of what it hides. */
  readonly shown?: {
    readonly text: string;
    readonly hides: readonly string[];
    readonly undeclared: readonly Undeclared[];
  };
}

export interface DescribingDeps {
  readonly tools: ToolTable;
  readonly redaction: Redaction;
  readonly authority: Pick<Authority, 'judge' | 'policyOf' | 'ruleNow' | 'offerOnCard'>;
  readonly run: RunState;
  readonly people: People;
  readonly timers: Timers;
  readonly suggestRule: SuggestRule;
  readonly approvalLifetimeMs: number;
  readonly toolLog: ToolLog;
}

export interface DescribeWish {
  readonly said: string;
  readonly signal: AbortSignal;
  /**
   * The judgement and the definition of the tool under which people were already asked about this call. While they
   * hold, their card has the preview, and the tool does not look again.
   */
  readonly asked: (AskedUnder & { readonly definition: string }) | undefined;
}

export async function describeCall(
  { tools, redaction, authority, run, people, timers, suggestRule, approvalLifetimeMs, toolLog }: DescribingDeps,
  { toolUseId, name, input }: Pick<ToolUseBlock, 'toolUseId' | 'name' | 'input'>,
  { said, signal, asked }: DescribeWish,
): Promise<Described> {
  const tool = tools.find(name);
  if (tool === undefined)
    throw new Error(
      `No question can be asked about ${name}: there is no such tool. This is a fault of the bot: report it.`,
    );
  const { thread, requester } = run;
  const key = callNow(run, toolUseId);
  const failed = toolLog.failed({ call: key, tool, input });
  const judged = authority.judge({ tool, input, thread, requester });
  const { effect, ruledBy, secondFactor } = judged;
  if (effect === 'denied') return unasked(`The rule “${ruledBy?.name ?? ''}” does not allow this call.`);
  const whom =
    effect === 'open'
      ? judged
      : await whoDecides({ people, authority, timers }, run, { key, tool, input, judged, effect });
  if (!('rule' in whom)) return { ...unasked(whom.toModel), toThread: whom.toThread };
  const { rule } = whom;
  const definition = definitionHash(tool);
  const looks = asked === undefined || asked.definition !== definition || !judgedAlike(asked, judged);
  const looked: Looked = looks ? await look(tool, input, signal, failed) : { type: 'looked' };
  if (looked.type === 'blind') return unasked(looked.problem);
  await betweenReadings(input);

  const { shown, hidden } = await redaction.inTurns.input(tool, input);
  await betweenReadings(input);
  const safe = (text: string): Promise<string> => redaction.inTurns.text(text, hidden);
  const offering = authority.offerOnCard({ tool, input, thread, requester, shown }, steeredBy(run, key));
  const offer = await withLimit(offering, { ms: LIMITS.lookUpMs, late: undefined, timers });
  // The line of a trust spells out its fields, so a trust on a hidden field is not offered.
  const offered = offer === undefined || hidesFields(hidden, Object.keys(offer.where ?? {})) ? undefined : offer;
  const { preview, precondition } = looked;
  // A rule that asks wins over a rule that allows, so a suggested rule would have no effect on this call.
  const approvedInARow =
    looks && effect === 'asked' && ruledBy === undefined && !needsSeveral(rule) && hidden.length === 0
      ? await suggestRule({
          tool: name,
          input: canonical(input),
          requester: { user: requester, team: thread.team },
        })
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
      definition,
      policy: authority.policyOf(tool),
      // The rules opened this call after its question had begun, so the question goes on as an asked one.
      effect: effect === 'open' ? 'asked' : effect,
      summary: await safe(tool.summarise(input, failed)),
      rule,
      ...given({ ruledBy, secondFactor, wants: tool.wants?.(shown) }),
      ...(said === '' ? {} : { reason: (await safe(said)).slice(0, LIMITS.reasonChars) }),
      ...given({ trust: offered, approvedInARow }),
      ...(preview === undefined ? {} : { preview: await safe(preview) }),
      ...given({ precondition: precondition && { ...precondition, text: await safe(precondition.text) } }),
    },
  };
}

const unasked = (problem: string) => ({ type: 'unasked' as const, problem });

function hidesFields(hidden: readonly Hidden[], fields: readonly string[]): boolean {
  return hidden.some(({ path: [field] }) => field === undefined || fields.includes(field));
}
