import { type Entry, EntryBody, type EntryOf, suggestedRule } from '../../journal/index.ts';
import { count } from '../../log.ts';
import type { Store } from '../../store/index.ts';
import { readUnlessDamaged } from './page.ts';

/** How much attention a tool or a rule asks of people: how often they were asked, their answers, and how long they looked. */
export interface Attention {
  readonly of: string;
  readonly asked: number;
  readonly approved: number;
  readonly edited: number;
  readonly denied: number;
  /** A person answered in place of the tool. */
  readonly answered: number;
  readonly unanswered: number;
  /** Finished runs that asked about this. */
  readonly tasks: number;
  /** From the question to the answer. A median, because a question may wait over a weekend. */
  readonly decideMs: number | undefined;
  /** The longest that people can have looked: since the card was posted, or since their press on another card. */
  readonly dwellMs: number | undefined;
}

export interface AttentionReport {
  readonly tools: readonly Attention[];
  readonly rules: readonly Attention[];
  readonly finishedRuns: number;
  readonly cards: number;
  /** Rules that would end the asking, suggested after several equal approvals in a row. Each is listed once. */
  readonly suggestions: readonly string[];
}

interface Question {
  readonly tool: string;
  readonly rule: string | undefined;
  readonly run: string;
  readonly askedMs: number;
  shownMs: number | undefined;
  answer: 'approved' | 'edited' | 'denied' | 'answered' | 'unanswered' | undefined;
  by: string | undefined;
  answeredMs: number | undefined;
}

/** Reads every run. Questions from before `sinceMs` are left out. */
export async function measureAttention(store: Pick<Store, 'journals' | 'read'>, sinceMs = 0): Promise<AttentionReport> {
  const questions: Question[] = [];
  const finished = new Set<string>();
  const suggestions = new Set<string>();
  for (const run of await store.journals('run')) {
    const { entries } = await store.read(run);
    const asked = new Map<string, Question>();
    let requester = '';
    for (const { text } of entries) {
      const entry = readUnlessDamaged(EntryBody, text);
      // `audit verify` names the line; here the run is counted up to it.
      if (entry === undefined) break;
      if (entry.type === 'run-started') ({ requester } = entry);
      if (entry.type === 'run-finished' && entry.atMs >= sinceMs) finished.add(run);
      note(asked, run, entry);
      const rule = entry.type === 'call-asked' && entry.atMs >= sinceMs ? ruleWith(entry, requester) : undefined;
      if (rule !== undefined) suggestions.add(rule);
    }
    questions.push(...[...asked.values()].filter(({ askedMs }) => askedMs >= sinceMs));
  }
  const dwell = dwellOf(questions);
  const group = (name: (question: Question) => string | undefined): readonly Attention[] => {
    const names = [...new Set(questions.map(name))].filter((one) => one !== undefined).sort();
    return names.map((of) =>
      sum(
        of,
        questions.filter((one) => name(one) === of),
        { finished, dwell },
      ),
    );
  };
  return {
    tools: group(({ tool }) => tool),
    rules: group(({ rule }) => rule),
    finishedRuns: finished.size,
    cards: questions.length,
    suggestions: [...suggestions],
  };
}

/** The rule that was suggested with a question. The input of such a call is short, so its entry holds it. */
function ruleWith(asked: EntryOf<'call-asked'>, requester: string): string | undefined {
  const { input } = asked;
  return 'text' in input ? suggestedRule({ ...asked, requester, input: input.text }) : asked.suggestion;
}

function note(asked: Map<string, Question>, run: string, entry: Entry): void {
  if (entry.type === 'call-asked') {
    asked.set(entry.approval, {
      tool: entry.tool,
      rule: entry.ruledBy?.name,
      run,
      askedMs: entry.atMs,
      shownMs: undefined,
      answer: undefined,
      by: undefined,
      answeredMs: undefined,
    });
    return;
  }
  const question = 'approval' in entry ? asked.get(entry.approval) : undefined;
  if (question === undefined) return;
  if (entry.type === 'card-posted') question.shownMs ??= entry.atMs;
  if (entry.type === 'call-expired') question.answer = 'unanswered';
  if (entry.type === 'call-decided') {
    question.answer = entry.edit === undefined ? ANSWERS[entry.verdict] : 'edited';
    question.by = entry.by;
    question.answeredMs = entry.atMs;
  }
}

const ANSWERS = { approve: 'approved', trust: 'approved', deny: 'denied', answer: 'answered' } as const;

/** Counts from the last press of the same person: six presses in five seconds are short looks, however old the cards are. */
function dwellOf(questions: readonly Question[]): ReadonlyMap<Question, number> {
  const last = new Map<string, number>();
  const dwell = new Map<Question, number>();
  const answered = questions.filter((one) => one.answeredMs !== undefined && one.by !== undefined);
  for (const question of answered.sort((one, other) => (one.answeredMs ?? 0) - (other.answeredMs ?? 0))) {
    const { answeredMs = 0, shownMs, askedMs, by = '' } = question;
    dwell.set(question, answeredMs - Math.max(shownMs ?? askedMs, last.get(by) ?? 0));
    last.set(by, answeredMs);
  }
  return dwell;
}

function sum(
  of: string,
  questions: readonly Question[],
  { finished, dwell }: { readonly finished: ReadonlySet<string>; readonly dwell: ReadonlyMap<Question, number> },
): Attention {
  const count = (answer: Question['answer']): number => questions.filter((one) => one.answer === answer).length;
  return {
    of,
    asked: questions.length,
    approved: count('approved'),
    edited: count('edited'),
    denied: count('denied'),
    answered: count('answered'),
    unanswered: count('unanswered'),
    tasks: new Set(questions.map(({ run }) => run).filter((run) => finished.has(run))).size,
    decideMs: median(
      questions.flatMap(({ answeredMs, askedMs }) => (answeredMs === undefined ? [] : [answeredMs - askedMs])),
    ),
    dwellMs: median(questions.flatMap((one) => dwell.get(one) ?? [])),
  };
}

function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)];
}

/** For people at a terminal. */
export function attentionLines({ tools, rules, finishedRuns, cards, suggestions }: AttentionReport): readonly string[] {
  const rate = finishedRuns === 0 ? '' : `, ${(cards / finishedRuns).toFixed(1)} for each finished run`;
  return [
    `${count(cards, 'card')} and ${count(finishedRuns, 'finished run')}${rate}.`,
    ...tools.map((one) => line('tool', one)),
    ...rules.map((one) => line('rule', one)),
    ...suggestions.map(
      (rule) =>
        `approved again and again; this rule would end the asking, with isDeepStrictEqual of node:util: ${rule}`,
    ),
  ];
}

/** For programs: one object for each line of `attentionLines`. */
export function attentionRows({ tools, rules, finishedRuns, cards, suggestions }: AttentionReport): readonly object[] {
  return [
    { cards, finishedRuns },
    ...tools.map(({ of, ...rest }) => ({ tool: of, ...rest })),
    ...rules.map(({ of, ...rest }) => ({ rule: of, ...rest })),
    ...suggestions.map((suggestion) => ({ suggestion })),
  ];
}

function line(
  kind: string,
  { of, asked, approved, edited, denied, answered, unanswered, tasks, decideMs, dwellMs }: Attention,
): string {
  const all = approved + edited + denied + answered;
  const rate = all === 0 ? 'never answered' : `${Math.round((100 * (approved + edited)) / all)}% approved`;
  const counts = `${approved} approved, ${edited} edited, ${denied} denied, ${answered} answered instead, ${unanswered} unanswered`;
  return `${kind} ${of}: asked ${count(asked, 'time')} in ${count(tasks, 'finished run')}, ${rate} (${counts}); answered after ${span(decideMs)}, looked at for at most ${span(dwellMs)}.`;
}

function span(ms: number | undefined): string {
  if (ms === undefined) return '–';
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`;
}
