import { type Confirm, confirm, type Deny, defaultEvaluate, deny, type Proceed, proceed } from '../actions.ts';
import { canonical } from '../canonical.ts';
import { given } from '../copy.ts';
import { ConfigurationError, checkNumbers, checkOptions } from '../errors.ts';
import type { BeforeToolCallEvent } from '../hooks/events.ts';
import type { ObservedAgent } from '../hooks/hooks.ts';
import type { AgentView } from '../hooks/loop-event.ts';
import type { Json, ToolUseBlock } from '../messages.ts';
import type { Awaitable, Handler, OnError } from '../pipeline/handler.ts';
import { checkReactions } from '../pipeline/reaction.ts';
import type { Settlement } from '../pipeline/settlement.ts';
import { type AnswerRules, readAnswer, USUAL_ANSWERS } from './answer.ts';
import { checkApprover, requesterOf } from './approvers.ts';
import type { AskExtras } from './ask-parts.ts';
import { type Classification, type Classifier, rememberClassifier } from './classifier.ts';
import { checkedRules, hasPossibleApprover } from './may-decide.ts';
import { HUMAN_IN_THE_LOOP_OPTIONS, type HumanInTheLoopOptions } from './options.ts';
import { buildQuestion, questionData, questionText } from './question.ts';
import { createRefusals, type Refusals } from './refusals.ts';
import { type ToolList, toolList } from './tool-list.ts';
import { createTrustBook, type TrustBook } from './trust.ts';

export const HUMAN_IN_THE_LOOP = 'countersign:human-in-the-loop';

const PREVIEW_CHARACTERS = 2_000;
const NO_SUCH_TOOL = proceed({ reason: 'no such tool' });
const OPEN = proceed({ reason: 'open' });

/**
 * Asks a person before a tool runs.
 *
 * First match wins:
 * 1. `!name` is listed, or its rule is guarded or names a quorum → ask
 * 2. the tool is trusted                → run, unless the classifier flags this input
 * 3. `*` is listed                      → run
 * 4. the name is listed                 → run
 * 5. the classifier says it is harmless → run
 * 6. otherwise                          → ask
 */
export class HumanInTheLoop implements Handler {
  readonly name: string = HUMAN_IN_THE_LOOP;
  readonly gate = true;
  readonly onError: OnError;
  readonly #options: HumanInTheLoopOptions;
  readonly #ruleFor: HumanInTheLoopOptions['ruleFor'];
  readonly #tools: ToolList;
  readonly #trust: TrustBook | undefined;
  readonly #classifier: Classifier | undefined;
  readonly #refusals: Refusals;
  /** Warnings about the options, kept until an agent is there to hear them. */
  readonly #early: string[] = [];

  constructor(options: HumanInTheLoopOptions = {}) {
    checkOptions('HumanInTheLoop', options, HUMAN_IN_THE_LOOP_OPTIONS);
    const { allowedTools = [], classifier = false, enableTrust = false, onError = 'throw' } = options;
    const warn = (message: string) => {
      this.#early.push(message);
      options.warn?.(message);
    };
    this.#options = options;
    this.#ruleFor = options.ruleFor && checkedRules(options.ruleFor);
    this.onError = onError;
    this.#tools = toolList(allowedTools, warn);
    this.#trust = enableTrust === false ? undefined : createTrustBook(enableTrust === true ? {} : enableTrust);
    this.#classifier = rememberClassifier(classifier, (event, message) => this.#warn(event.agent, event.type, message));
    checkReactions(options.reactions ?? {}, this.name);
    if (options.ask !== undefined && options.ask !== 'stdio' && typeof options.ask !== 'function') {
      throw new ConfigurationError(
        `ask is ${canonical(options.ask)}. Give a function, 'stdio', or leave it out to pause.`,
      );
    }
    this.#refusals = createRefusals(options.refusalsPerTool);
    const { expiresAfterMs, refusalsPerTool, previewCharacters, askTimeoutMs } = options;
    checkNumbers({ expiresAfterMs, askTimeoutMs: askTimeoutMs ?? undefined }, true);
    checkNumbers({ refusalsPerTool, previewCharacters }, false);
    if (this.#classifier !== undefined && this.#tools.allowsAll) {
      warn('allowedTools holds * and there is a classifier, which then has nothing to decide. Remove one of them.');
    }
    if (this.#trust !== undefined && options.isTrusted !== undefined) {
      throw new ConfigurationError('Trust is kept inside (enableTrust) and outside (isTrusted). Choose one.');
    }
  }

  checkTools(toolNames: readonly string[]): void {
    const unknown = this.#tools.unknown(toolNames);
    if (unknown.length === 0) return;
    const [names, known] = [unknown.join(', '), toolNames.join(', ') || 'none'];
    throw new ConfigurationError(
      `allowedTools names ${names}, and the agent has no such tool. Check the spelling; its tools are: ${known}.`,
    );
  }

  observeAgent(agent: ObservedAgent): void {
    this.#refusals.observe(agent, this.name);
    for (const message of this.#early) agent.warn?.({ handler: this.name, event: 'initialized', message });
    for (const name of this.#tools.unknown(agent.toolNames)) {
      this.#warn(agent, 'initialized', `allowedTools names ${name}, and no tool is called that. Check the spelling.`);
    }
  }

  #warn(agent: AgentView, event: string, message: string): void {
    this.#options.warn?.(message);
    agent.warn?.({ handler: this.name, event, message });
  }

  /** Lets an open tool through at once. Other calls may have to wait for trust, a classifier or people. */
  beforeToolCall(event: BeforeToolCallEvent): Awaitable<Proceed | Deny | Confirm> {
    const { name } = event.effective();
    // There is no tool of this name, so the loop fails the call without a question.
    if (event.tool === undefined) return NO_SUCH_TOOL;
    if (this.#tools.allows(name) && !this.#asksEachTime(name)) return OPEN;
    return this.#consider(event, name);
  }

  async #consider(event: BeforeToolCallEvent, name: string): Promise<Proceed | Deny | Confirm> {
    const flagged = await this.#judge(event, name);
    if (flagged === undefined) return proceed({ reason: 'trusted, or judged to be harmless' });
    const closed = this.#refusals.closed(event);
    if (closed !== undefined) return deny(closed);
    const rule = this.#ruleFor?.(name);
    if (rule !== undefined && !hasPossibleApprover(rule, requesterOf(event))) {
      return deny(
        `No person can approve ${JSON.stringify(name)}, because no approver other than the requester is configured.`,
      );
    }
    return this.#question(event, flagged);
  }

  /** Whatever is listed or trusted. Where several people decide together, no person decides alone about later calls. */
  #asksEachTime(name: string): boolean {
    if (this.#tools.guards(name)) return true;
    const { effect, quorum = 1 } = this.#ruleFor?.(name) ?? {};
    return effect === 'guarded' || quorum > 1;
  }

  /** Why a person is needed, or `undefined`. */
  async #judge(event: BeforeToolCallEvent, name: string): Promise<Classification | undefined> {
    const needed: Classification = { requiresHumanInTheLoop: true };
    if (this.#asksEachTime(name)) return needed;
    const trusted = event.trustCounts && !event.hasAsked(this.name) && (await this.#isTrusted(event));
    if (this.#classifier === undefined) return trusted ? undefined : needed;
    const judged = await this.#classifier(event);
    return judged.requiresHumanInTheLoop ? judged : undefined;
  }

  async #isTrusted(event: BeforeToolCallEvent): Promise<boolean> {
    if (this.#trust?.covers(event) === true) return true;
    const { isTrusted } = this.#options;
    if (isTrusted === undefined) return false;
    const toolUse: ToolUseBlock = { type: 'toolUse', toolUseId: event.toolUse.toolUseId, ...event.effective() };
    return (await isTrusted(toolUse, { digest: event.digest(), signal: event.signal })) === true;
  }

  #question(event: BeforeToolCallEvent, { reason }: Classification): Confirm {
    const { askTimeoutMs, evaluate = defaultEvaluate, redact, previewCharacters, expiresAfterMs } = this.#options;
    const { reactions } = this.#options;
    const answers = this.#answers(event);
    const question = buildQuestion({
      tool: event.effective().name,
      input: event.effective().input,
      handler: this.name,
      previewCharacters: previewCharacters ?? PREVIEW_CHARACTERS,
      redact,
      risk: reason,
      requester: requesterOf(event),
      expiresAtMs: expiresAfterMs === undefined ? undefined : event.nowMs + expiresAfterMs,
      answers,
    });
    const prompt = questionText(question);
    const ask = this.#ask(event);
    const rules = this.#rules(event, prompt);
    return confirm(prompt, {
      evaluate,
      question: questionData(question),
      settle: (response, { approvals }) => this.#settle(event, { response, approvals, rules }),
      ...given({ reason, answers, reactions, ask, askTimeoutMs }),
    });
  }

  #ask(event: BeforeToolCallEvent): ((prompt: string, extras: AskExtras) => unknown) | undefined {
    const { ask } = this.#options;
    if (ask === undefined) return undefined;
    return async (prompt, extras) => {
      const answer = ask === 'stdio' ? await this.#askTerminal(prompt, extras) : await ask(prompt, extras);
      // Nothing is a no, unless the wait was over before.
      if ((answer === undefined || answer === null) && !extras.signal.aborted) this.#refusals.note(event);
      return answer;
    };
  }

  async #askTerminal(prompt: string, extras: AskExtras): Promise<unknown> {
    const suffix = this.#trust === undefined ? ' (y/n): ' : ' (y/n/t): ';
    return (await import('../terminal.ts')).terminalAsk(suffix)(prompt, extras);
  }

  /** The answers that count. With its own function for judging, the deployment decides that itself. */
  #answers(event: BeforeToolCallEvent): readonly Json[] | undefined {
    const { answers, evaluate, evaluateTrust, profile = event.profile } = this.#options;
    if (answers !== undefined) return answers;
    const usual = profile !== 'reference' && evaluate === undefined && evaluateTrust === undefined;
    return usual ? USUAL_ANSWERS : undefined;
  }

  #rules(event: BeforeToolCallEvent, prompt: string): AnswerRules {
    const { answers, isTrusted, profile = event.profile } = this.#options;
    const { evaluate = defaultEvaluate, evaluateTrust: means = defaultEvaluateTrust } = this.#options;
    const rules: AnswerRules = { evaluate, prompt, profile, answers };
    if (this.#asksEachTime(event.effective().name)) return rules;
    const trust = this.#trust;
    if (trust !== undefined) {
      const own = means !== defaultEvaluateTrust;
      return { ...rules, trust: { means, own, remember: (approver) => trust.remember(event, approver) } };
    }
    // Trust is kept outside, and its owner has stored it before answering.
    return isTrusted === undefined ? rules : { ...rules, trust: { means: () => false, remember: () => {} } };
  }

  #settle(event: BeforeToolCallEvent, answer: Answer): Settlement {
    const { groupsOf } = this.#options;
    const ruleFor = this.#ruleFor;
    const read = readAnswer(answer.response, answer.rules);
    const settlement = ruleFor === undefined ? read : checkApprover(read, { event, ...answer }, { ruleFor, groupsOf });
    if (settlement.type === 'refused' && settlement.because === 'person') this.#refusals.note(event);
    return settlement;
  }
}

interface Answer {
  readonly response: Json;
  readonly approvals: readonly Json[];
  readonly rules: AnswerRules;
}

/** `t` and `trust`, in any letter case. */
export function defaultEvaluateTrust(response: unknown): boolean {
  return typeof response === 'string' && ['t', 'trust'].includes(response.trim().toLowerCase());
}
