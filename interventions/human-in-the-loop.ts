import {
  type Confirm,
  confirm,
  type Deny,
  defaultEvaluate,
  deny,
  type Proceed,
  proceed,
  type SettleContext,
} from './actions.ts';
import { type AnswerRules, type Profile, readAnswer } from './answer.ts';
import type { AskExtras } from './ask.ts';
import { ConfigurationError } from './errors.ts';
import type { BeforeToolCallEvent } from './events.ts';
import type { Handler, OnError } from './handler.ts';
import type { Json, ToolUseBlock } from './messages.ts';
import { buildQuestion, questionData, questionText } from './question.ts';
import type { Settlement } from './settlement.ts';

export const HUMAN_IN_THE_LOOP = 'countersign:human-in-the-loop';

export interface HumanInTheLoopOptions {
  /** Tools that run without asking. `*` is all of them; `!name` asks about that one always, whatever else says. */
  readonly allowedTools?: readonly string[];
  /** Collects the answer while the run waits. Absent: the run pauses and is resumed from outside. */
  readonly ask?: (prompt: string, extras: AskExtras) => unknown;
  /** Default 15 minutes. Null: the wait has no limit of its own. */
  readonly askTimeoutMs?: number | null;
  readonly evaluate?: (response: Json) => boolean;
  readonly enableTrust?: boolean;
  readonly evaluateTrust?: (response: Json) => boolean;
  /** Trust that is kept outside. Never consulted for `!name`. */
  readonly isTrusted?: (
    toolUse: ToolUseBlock,
    extras: { readonly digest: string; readonly signal: AbortSignal },
  ) => boolean | Promise<boolean>;
  readonly answers?: readonly Json[];
  readonly redact?: (tool: string, input: unknown) => unknown;
  readonly previewCharacters?: number;
  /** After so many refusals by a person the tool is closed for the invocation. */
  readonly refusalsPerTool?: number;
  readonly profile?: Profile;
  readonly onError?: Exclude<OnError, 'proceed'>;
}

/**
 * Asks a person before a tool runs.
 *
 * First match wins:
 * 1. `!name` is listed        → ask
 * 2. the tool is trusted      → run
 * 3. `*` is listed            → run
 * 4. the name is listed       → run
 * 5. otherwise                → ask
 */
export class HumanInTheLoop implements Handler {
  readonly name: string = HUMAN_IN_THE_LOOP;
  readonly gate = true;
  readonly onError: OnError;
  readonly #options: HumanInTheLoopOptions;
  readonly #guarded: ReadonlySet<string>;
  readonly #open: ReadonlySet<string>;
  /** What people refused, for each invocation: forgotten together with it. */
  readonly #refusals = new WeakMap<object, Refusals>();

  constructor(options: HumanInTheLoopOptions = {}) {
    const { allowedTools = [] } = options;
    checkNames(allowedTools);
    this.#options = options;
    this.#guarded = new Set(allowedTools.filter((entry) => entry.startsWith('!')).map((entry) => entry.slice(1)));
    this.#open = new Set(allowedTools.filter((entry) => !entry.startsWith('!')));
    this.onError = options.onError ?? 'throw';
  }

  async beforeToolCall(event: BeforeToolCallEvent): Promise<Proceed | Deny | Confirm> {
    const { name } = event.effective();
    // Nothing answers to this name, so there is nothing to ask about; the call fails by itself.
    if (event.tool === undefined) return proceed({ reason: 'no such tool' });
    if (await this.#runsFreely(event, name)) return proceed({ reason: 'open or trusted' });
    const digest = event.digest();
    return this.#closed(event, name, digest) ?? this.#question(event, name, digest);
  }

  async #runsFreely(event: BeforeToolCallEvent, name: string): Promise<boolean> {
    if (this.#guarded.has(name)) return false;
    if (event.trustCounts && (await this.#isTrusted(event, name))) return true;
    return this.#open.has('*') || this.#open.has(name);
  }

  async #isTrusted(event: BeforeToolCallEvent, name: string): Promise<boolean> {
    const { enableTrust, isTrusted } = this.#options;
    if (enableTrust === true && trustedTools(event).includes(name)) return true;
    if (isTrusted === undefined) return false;
    const { toolUseId } = event.toolUse;
    const toolUse: ToolUseBlock = { type: 'toolUse', toolUseId, name, input: event.effective().input };
    return (await isTrusted(toolUse, { digest: event.digest(), signal: event.signal })) === true;
  }

  #closed(event: BeforeToolCallEvent, name: string, digest: string): Deny | undefined {
    const refusals = this.#refusals.get(event.invocationState);
    if (refusals === undefined) return undefined;
    if (refusals.digests.has(digest)) return deny('A person refused this same call before, so nobody was asked again.');
    const limit = this.#options.refusalsPerTool ?? REFUSALS_PER_TOOL;
    if ((refusals.byTool.get(name) ?? 0) < limit) return undefined;
    return deny(`People refused ${JSON.stringify(name)} ${limit} times, so it is closed for now.`);
  }

  #question(event: BeforeToolCallEvent, name: string, digest: string): Confirm {
    const { ask, askTimeoutMs, answers, evaluate = defaultEvaluate, redact, previewCharacters } = this.#options;
    const requester = event.invocationState.requester;
    const question = buildQuestion({
      tool: name,
      input: event.effective().input,
      handler: this.name,
      previewCharacters: previewCharacters ?? PREVIEW_CHARACTERS,
      redact,
      requester: typeof requester === 'string' ? requester : undefined,
      answers,
    });
    const prompt = questionText(question);
    const rules = this.#rules(event, name, prompt);
    return confirm(prompt, {
      evaluate,
      question: questionData(question),
      settle: (response, context) => this.#settle(response, { event, name, digest, rules, context }),
      ...(answers === undefined ? {} : { answers }),
      ...(ask === undefined ? {} : { ask }),
      ...(askTimeoutMs === undefined ? {} : { askTimeoutMs }),
    });
  }

  #rules(event: BeforeToolCallEvent, name: string, prompt: string): AnswerRules {
    const { answers, enableTrust = false, isTrusted, profile = 'strict' } = this.#options;
    const evaluate = this.#options.evaluate ?? defaultEvaluate;
    const means = this.#options.evaluateTrust ?? defaultEvaluateTrust;
    const rules: AnswerRules = { evaluate, prompt, profile, answers };
    if (this.#guarded.has(name)) return rules;
    if (enableTrust) return { ...rules, trust: { means, remember: () => rememberTrust(event, name) } };
    // Kept outside: whoever keeps it has written it down before answering.
    return isTrusted === undefined ? rules : { ...rules, trust: { means: () => false, remember: () => {} } };
  }

  #settle(response: Json, about: Asked): Settlement {
    const settlement = readAnswer(response, about.rules);
    if (settlement.type === 'refused' && settlement.because === 'person') this.#noteRefusal(about);
    return settlement;
  }

  #noteRefusal({ event, name, digest }: Asked): void {
    const refusals = this.#refusals.get(event.invocationState) ?? { digests: new Set(), byTool: new Map() };
    refusals.digests.add(digest);
    refusals.byTool.set(name, (refusals.byTool.get(name) ?? 0) + 1);
    this.#refusals.set(event.invocationState, refusals);
  }
}

interface Refusals {
  readonly digests: Set<string>;
  readonly byTool: Map<string, number>;
}

interface Asked {
  readonly event: BeforeToolCallEvent;
  readonly name: string;
  readonly digest: string;
  readonly rules: AnswerRules;
  readonly context: SettleContext;
}

const REFUSALS_PER_TOOL = 3;
const PREVIEW_CHARACTERS = 2_000;
const TRUSTED_TOOLS = 'hitl:trustedTools';

/** `t` and `trust`, in any letter case. */
export function defaultEvaluateTrust(response: unknown): boolean {
  return typeof response === 'string' && ['t', 'trust'].includes(response.trim().toLowerCase());
}

function trustedTools(event: BeforeToolCallEvent): readonly string[] {
  const stored = event.agent.appState.get(TRUSTED_TOOLS);
  return Array.isArray(stored) ? stored.filter((name) => typeof name === 'string') : [];
}

function rememberTrust(event: BeforeToolCallEvent, name: string): void {
  event.agent.appState.set(TRUSTED_TOOLS, [...new Set([...trustedTools(event), name])]);
}

function checkNames(allowedTools: unknown): void {
  if (Array.isArray(allowedTools) && allowedTools.every((entry) => typeof entry === 'string' && entry !== '')) return;
  throw new ConfigurationError(
    `allowedTools must be a list of tool names, and ${JSON.stringify(allowedTools)} is not. Write ['name'].`,
  );
}
