import {
  type AfterToolCallEvent,
  type AskExtras,
  type BeforeToolCallEvent,
  type Confirm,
  canonicalCall,
  type Deny,
  deny,
  type Handler,
  HumanInTheLoop,
  type Proceed,
  proceed,
  type Transform,
  transform,
} from '../../../interventions/index.ts';
import {
  type Authority,
  CapReachedError,
  type Judgement,
  type People,
  type RunCaps,
  type TrustAtWork,
} from '../../authority/index.ts';
import { approvalOf, callNow, decideCancel, isRetry, type RunState } from '../../journal/index.ts';
import type { Cards } from '../../questions/index.ts';
import type { RunJournal } from '../../recorder/index.ts';
import { definitionHash, type Tool, type ToolTable } from '../../tools/index.ts';
import type { CallAnswer, CallQuestion } from '../asking/asking.ts';
import { WORDS } from '../telling/words.ts';
import { type DeniedBeforeDeps, deniedBefore } from './denied-before.ts';
import { grantedCall } from './granted-call.ts';
import { known } from './known.ts';
import { isBegun, whyNobodyDecides } from './nobody-decides.ts';
import { digestText } from './tool-runner.ts';

type Ask = (prompt: string, extras: AskExtras) => unknown;

export interface GateDeps {
  readonly journal: RunJournal;
  readonly tools: ToolTable;
  readonly cards: Pick<Cards, 'settle'>;
  readonly trust: Pick<TrustAtWork, 'find'>;
  readonly authority: Pick<Authority, 'judge' | 'policyOf'>;
  readonly people: People;
  readonly caps: RunCaps;
  readonly denied: DeniedBeforeDeps;
  /** The run is to stop, and what it asks is to be taken back. */
  readonly onCap: (words: string) => Promise<void>;
  readonly ask: (question: CallQuestion) => Promise<CallAnswer>;
  /** What may be said of an input outside of the call itself. */
  readonly redact: (tool: string, input: unknown) => unknown;
  /** Watches an ask from outside. */
  readonly traced: (ask: Ask) => Ask;
  /** A call that nobody can ever approve: the thread is told why. */
  readonly onNobody: (call: { readonly key: string; readonly words: string }) => void;
}

/** The interventions of every run, in order: the rules, is there a person to ask, ask that person, name an earlier attempt. */
export function createGate(deps: GateDeps): readonly Handler[] {
  return [rulesOfTheDeployment(deps), somebodyToAsk(deps), humanInTheLoop(deps), earlierAttempt(deps)];
}

interface Judged {
  readonly state: RunState;
  readonly key: string;
  readonly tool: Tool;
  readonly judgement: Judgement;
}

/** What the rules say of this call as it is now. Nothing, when there is no such tool: then the call fails by itself. */
function judged({ journal, tools, authority }: GateDeps, event: BeforeToolCallEvent): Judged | undefined {
  const state = known(journal);
  const { name, input } = event.effective();
  const tool = tools.find(name);
  if (tool === undefined) return undefined;
  const { thread, requester } = state;
  const judgement = authority.judge({ tool, input, thread, requester });
  return { state, tool, judgement, key: callNow(state, event.toolUse.toolUseId) };
}

/** What a rule denies is not asked about, and what rules on trial would do is written down. */
function rulesOfTheDeployment(deps: GateDeps): Handler {
  return {
    name: 'countersign:rules',
    gate: true,
    beforeToolCall: async (event: BeforeToolCallEvent): Promise<Proceed | Deny> => {
      const call = judged(deps, event);
      if (call === undefined) return proceed();
      const { effect, ruledBy, shadows } = call.judgement;
      const denies = effect === 'denied' ? [{ rule: ruledBy?.name ?? '', would: 'deny' as const, shadow: false }] : [];
      const tried = shadows.map(({ name, would }) => ({ rule: name, would, shadow: true }));
      await write(deps.journal, call, event, [...denies, ...tried]);
      if (effect !== 'denied') return proceed();
      const because = ruledBy?.because === undefined ? '' : ` The reason: ${ruledBy.because}`;
      await takeBack(deps, call, `The rule “${ruledBy?.name ?? ''}” does not allow this call any more.`);
      return deny(
        `The rule ${JSON.stringify(ruledBy?.name ?? '')} of this deployment does not allow this call of ${call.tool.name}, and nobody can approve it.${because}`,
      );
    },
  };
}

/** Rules that changed while people were asked: a card must not wait for an answer that would do nothing. */
async function takeBack({ journal, cards }: GateDeps, { state, key }: Judged, cause: string): Promise<void> {
  const asked = approvalOf(state, key);
  if (asked?.standing.status !== 'pending') return;
  await journal.decide((now) => decideCancel(now, asked.id, cause), 'settled');
  await cards.settle(journal);
}

interface HadItsSay {
  readonly rule: string;
  readonly would: 'deny' | 'guard' | 'ask' | 'allow';
  readonly shadow: boolean;
}

async function write(
  journal: RunJournal,
  { key, tool }: Judged,
  event: BeforeToolCallEvent,
  rules: readonly HadItsSay[],
): Promise<void> {
  if (rules.length === 0) return;
  const digest = digestText(canonicalCall(event.effective()));
  await journal.commit((state) => ({
    entries: rules
      .filter(({ rule }) => state?.judged.has(`${key} ${rule}`) === false)
      .map((said) => ({ type: 'call-judged' as const, call: key, tool: tool.name, digest, ...said })),
    result: undefined,
  }));
}

/** A question that nobody can answer is not asked: it would wait until it expires, and nobody would know why. */
function somebodyToAsk(deps: GateDeps): Handler {
  return {
    name: 'countersign:somebody-to-ask',
    gate: true,
    beforeToolCall: async (event: BeforeToolCallEvent): Promise<Proceed | Deny> => {
      const call = judged(deps, event);
      if (call === undefined) return proceed();
      const { tool, key, state, judgement } = call;
      if (judgement.effect === 'open' || judgement.effect === 'denied') return proceed();
      const { effect, rule } = judgement;
      const nobody = await whyNobodyDecides(deps.people, state, { key, tool: tool.name, effect, rule });
      if (nobody === undefined) return proceed();
      await takeBack(deps, call, nobody.onCard);
      deps.onNobody({ key, words: nobody.toThread });
      return deny(nobody.toModel);
    },
  };
}

function humanInTheLoop(deps: GateDeps): Handler {
  const { journal, tools, trust, authority, ask, traced, redact } = deps;
  const human = new HumanInTheLoop({
    askTimeoutMs: null,
    redact,
    ask: traced((_prompt, { toolUse, digest, signal }) => ask({ toolUse, digest, signal })),
    isTrusted: async ({ name, input, toolUseId }, { digest }) => {
      const tool = tools.find(name);
      const state = known(journal);
      const key = callNow(state, toolUseId);
      // People were asked about this very call: trust that came later is for later calls.
      if (tool === undefined || approvalOf(state, key) !== undefined) return false;
      if (isBegun(state, key)) return true;
      const { thread, requester } = state;
      if (authority.judge({ tool, input, thread, requester }).effect !== 'asked') return false;
      const call = grantedCall(state, key, {
        tool: name,
        definition: definitionHash(tool),
        policy: authority.policyOf(tool),
        digest,
        input,
      });
      return (await trust.find(call)) !== undefined;
    },
  });
  return {
    name: human.name,
    gate: true,
    onError: human.onError,
    // Which class a call is in depends on its input, so it is not a list of names that lets it through.
    beforeToolCall: async (event: BeforeToolCallEvent) => {
      const call = judged(deps, event);
      if (call === undefined) return human.beforeToolCall(event);
      const isNew = approvalOf(call.state, call.key) === undefined;
      const isOpen = call.judgement.effect === 'open' && isNew;
      const action = isOpen ? proceed({ reason: 'open' }) : await human.beforeToolCall(event);
      return action.type === 'deny' ? action : withinLimits(deps, call, action, { event, isNew });
    },
  };
}

/** A retry that did not run says nothing about the attempt before it. What ran says so itself. */
function earlierAttempt({ journal }: GateDeps): Handler {
  return {
    name: 'countersign:earlier-attempt',
    afterToolCall: ({ executed, toolUse }): Proceed | Transform<AfterToolCallEvent> => {
      const state = known(journal);
      if (executed || !isRetry(state, callNow(state, toolUse.toolUseId))) return proceed();
      return transform((event) => {
        const content = [...event.result.content, { type: 'text' as const, text: WORDS.earlierAttempt }];
        event.result = { ...event.result, content };
      });
    },
  };
}

/** Last of all: what others refuse uses nothing up, and what was asked already is not asked about its right to be. */
async function withinLimits<Allowed extends Proceed | Confirm>(
  { caps, denied, onCap }: GateDeps,
  { state, key, tool }: Judged,
  action: Allowed,
  { event, isNew }: { readonly event: BeforeToolCallEvent; readonly isNew: boolean },
): Promise<Allowed | Deny> {
  const asks = action.type === 'confirm';
  if (asks && isNew) {
    const why = await deniedBefore(denied, state, { key, digest: digestText(canonicalCall(event.effective())) });
    if (why !== undefined) return deny(why);
  }
  const place = { key: `${state.run}/${key}`, tool: tool.name };
  const words = await caps.beforeCall(state, { ...place, asks });
  const full = words ?? (asks && isNew ? await caps.take(state, { ...place, what: 'cards' }) : undefined);
  if (full === undefined) return action;
  await onCap(full);
  throw new CapReachedError(full);
}
