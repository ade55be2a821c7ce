import { canonical, type Json } from '../../interventions/index.ts';
import type { Ask } from '../journal/decide.ts';
import { LIMITS } from '../limits.ts';
import { ruleOf, trustLine } from '../policy.ts';
import { namesOf, type Redaction } from '../secrets/redaction.ts';
import type { Deadlines } from '../tools/deadlines.ts';
import { definitionHash, type Looked, look, type ToolTable } from '../tools/index.ts';

/** What people are asked, from the tool's own definition, what it sees, and what the agent said; without the secrets in it. */
export type Described =
  | ({ readonly type: 'described'; readonly lifetimeMs: number; readonly deadlines: Deadlines } & Words)
  /** What a yes would rest on cannot be seen, so nobody is asked. */
  | { readonly type: 'blind'; readonly problem: string };

interface Words {
  readonly asked: Pick<
    Ask,
    'definition' | 'effect' | 'summary' | 'reason' | 'rule' | 'trust' | 'preview' | 'precondition'
  >;
  readonly input: string;
  /** Where the input hides something: how it is shown, and the names of what it hides. */
  readonly shown?: { readonly text: string; readonly hides: readonly string[] };
}

export interface DescribingDeps {
  readonly tools: ToolTable;
  readonly redaction: Redaction;
  readonly approvalLifetimeMs: number;
}

export interface DescribeWish {
  readonly said: string;
  readonly signal: AbortSignal;
  /** Whoever was asked already has seen how things stood then; looking once more would show nobody anything. */
  readonly looks: boolean;
}

export async function describeCall(
  { tools, redaction, approvalLifetimeMs }: DescribingDeps,
  { name, input }: { readonly name: string; readonly input: Json },
  { said, signal, looks }: DescribeWish,
): Promise<Described> {
  const tool = tools.find(name);
  if (tool === undefined || tool.effect === 'open') throw new Error(`Nobody is asked about ${name}.`);
  const looked: Looked = looks ? await look(tool, input, signal) : { type: 'looked' };
  if (looked.type === 'blind') return looked;

  const { shown, hidden } = redaction.input(tool, input);
  const safe = (text: string): string => redaction.text(text, hidden);
  const { trust } = tool;
  const { preview, precondition } = looked;
  return {
    type: 'described',
    lifetimeMs: approvalLifetimeMs,
    deadlines: tool.deadlines ?? {},
    input: canonical(input),
    ...(hidden.length === 0 ? {} : { shown: { text: canonical(shown), hides: namesOf(hidden) } }),
    asked: {
      definition: definitionHash(tool),
      effect: tool.effect,
      summary: safe(tool.summarise(input)),
      rule: ruleOf(tool),
      ...(said === '' ? {} : { reason: safe(said).slice(0, LIMITS.reasonChars) }),
      ...(trust === undefined ? {} : { trust: { ...trust, line: trustLine(name, trust) } }),
      ...(preview === undefined ? {} : { preview: safe(preview) }),
      ...(precondition === undefined ? {} : { precondition: { ...precondition, text: safe(precondition.text) } }),
    },
  };
}
