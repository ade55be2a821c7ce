import { unreachable } from '../../interventions/index.ts';
import type { ApprovalId, CardReceipt } from '../records.ts';
import { BrokenJournalError, withCall, withItem } from './changes.ts';
import { foldDoubt } from './doubts-fold.ts';
import type { Entry, TextRef } from './entries.ts';
import { type AskedInquiry, standingAfter } from './inquiries.ts';
import type { ApprovalStanding, AskedApproval, Begun, CallState, RunState } from './state.ts';
import { worked } from './worked.ts';

export { BrokenJournalError };

/** Folds one entry into the state. The only reader of entries: what a run is, is what this says. */
export function evolve(state: RunState | undefined, entry: Entry): RunState {
  if (state === undefined) {
    if (entry.type !== 'run-started') throw new BrokenJournalError(`begins with ${entry.type}`);
    return {
      version: 1,
      run: entry.run,
      thread: entry.thread,
      requester: entry.requester,
      previous: entry.previous,
      ...definedOnly({ earlier: entry.earlier }),
      startedAtMs: entry.atMs,
      status: { type: 'running' },
      items: 0,
      said: [],
      turns: 0,
      tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      workedMs: 0,
      turnMs: 0,
      sinceMs: entry.atMs,
      calls: new Map(),
      approvals: new Map(),
      judged: new Set(),
      inquiries: new Map(),
      doubts: new Map(),
      heard: new Set(),
      unread: new Map(),
      posted: new Map(),
      feedback: new Map(),
      feedbackGiven: 0,
      sealed: false,
      unheard: false,
    };
  }
  return apply({ ...state, ...worked(state, entry), version: state.version + 1 }, entry);
}

function apply(state: RunState, entry: Entry): RunState {
  switch (entry.type) {
    case 'run-started':
      throw new BrokenJournalError('starts twice');
    case 'person-said':
      return withSaid(
        {
          ...state,
          heard: new Set([...state.heard, entry.key]),
          unread: entry.unread === undefined ? state.unread : new Map([...state.unread, [entry.key, entry.unread]]),
        },
        entry.item,
      );
    case 'guided':
      return withSaid(state, entry.item);
    case 'turn-answered': {
      const { turn, item, says, calls, tokens, stopReason } = entry;
      const asksForMore = stopReason === 'pauseTurn' || (stopReason === 'toolUse' && calls.length > 0);
      const fresh: [string, CallState][] = calls.map((call) => [call, { execution: { type: 'none' } }]);
      return withItem(
        {
          ...state,
          turns: turn,
          said: [...state.said, { type: 'turn', turn, item, says, calls, tokens, last: !asksForMore }],
          calls: new Map([...state.calls, ...fresh]),
          tokens: {
            input: state.tokens.input + tokens.input,
            output: state.tokens.output + tokens.output,
            cacheRead: state.tokens.cacheRead + tokens.cacheRead,
            cacheWrite: state.tokens.cacheWrite + tokens.cacheWrite,
          },
        },
        item,
      );
    }
    case 'posted':
      return toldBy(entry.card, { ...state, posted: new Map([...state.posted, [entry.key, entry.card]]) });
    case 'reply-begun':
      return { ...state, writing: definedOnly({ card: entry.card }) };
    case 'reply-dropped':
      return withoutWriting(state);

    case 'call-asked': {
      const { type: _, id: _id, atMs, approval: id, ...asked } = entry;
      const approval: AskedApproval = {
        ...definedOnly(asked),
        id,
        askedAtMs: atMs,
        revision: state.version,
        painted: 0,
        refusedPresses: 0,
        reminded: [],
        yeses: [],
        standing: { status: 'pending' },
      };
      const next = withCall(state, entry.call, (call) => ({ ...call, approval: id }));
      const approvals = new Map([...state.approvals, [id, approval]]);
      return withTexts({ ...next, approvals }, [entry.input, entry.shown]);
    }
    case 'call-judged':
      return { ...state, judged: new Set([...state.judged, `${entry.call} ${entry.rule}`]) };
    case 'card-posted':
      return withApproval(state, entry.approval, (approval) => ({ ...approval, card: entry.card, painted: 0 }));
    case 'card-painted':
      return withApproval(state, entry.approval, (approval) => ({
        ...approval,
        painted: Math.max(approval.painted, entry.revision),
      }));
    case 'press-refused':
      return withApproval(state, entry.approval, (approval) => ({
        ...approval,
        refusedPresses: approval.refusedPresses + 1,
      }));
    case 'call-reminded':
      return withApproval(state, entry.approval, (approval) => ({
        ...approval,
        reminded: [...approval.reminded, entry.what],
      }));
    case 'yes-counted':
      return withApproval(state, entry.approval, (approval) => {
        if (approval.standing.status !== 'pending') throw new BrokenJournalError('counts a yes after the end');
        const yeses = [...approval.yeses, { by: entry.by, atMs: entry.atMs }];
        return { ...approval, yeses, revision: state.version };
      });
    case 'call-referred': {
      const { by, to, atMs } = entry;
      return withApproval(state, entry.approval, (approval) => ({
        ...approval,
        referred: [...(approval.referred ?? []), { by, to, atMs }],
        revision: state.version,
      }));
    }
    case 'call-decided': {
      const { verdict, by, atMs, reason, answer, grant, trust, edit } = entry;
      const next = settled(state, entry.approval, {
        status: 'decided',
        decision: { verdict, by, atMs, ...definedOnly({ reason, answer, grant, trust, edit }) },
      });
      return withTexts(next, [edit?.input, edit?.shown]);
    }
    case 'call-expired':
      return settled(state, entry.approval, { status: 'expired' });
    case 'call-cancelled':
      return settled(state, entry.approval, {
        status: 'cancelled',
        cause: entry.cause,
        ...definedOnly({ by: entry.by }),
      });

    case 'trust-ended':
      return followed(state, entry.approval, { trustEnded: { by: entry.by, atMs: entry.atMs } });
    case 'asked-again':
      return followed(state, entry.approval, { askedAgain: { by: entry.by, atMs: entry.atMs } });

    case 'precondition-changed':
      return followed(state, entry.approval, { outdated: true });

    case 'call-started': {
      const { attempt, digest, definition, grant, tool, atMs: startedAtMs } = entry;
      return shown(
        withCall(state, entry.call, (call) => {
          const starts = call.execution.type === 'none' ? 1 : call.execution.starts + 1;
          const execution = { type: 'started', startedAtMs, attempt, digest, definition, grant, tool, starts } as const;
          return { ...call, execution };
        }),
        entry.call,
      );
    }
    case 'call-finished': {
      const { ok, ms, item } = entry;
      return withItem(
        shown(
          withCall(state, entry.call, (call) => ({
            ...call,
            execution: { ...begun(call), type: 'finished', ok, ms, item },
            // What the model was told before is not made up again: it has gone on with that.
            answer: call.answer ?? item,
          })),
          entry.call,
        ),
        item,
      );
    }
    case 'call-unknown':
      return shown(
        withCall(state, entry.call, (call) => ({
          ...call,
          execution: { ...begun(call), type: 'unknown', attempt: entry.attempt },
        })),
        entry.call,
      );
    case 'call-answered':
      return withItem(
        withCall(state, entry.call, (call) => ({ ...call, answer: entry.item })),
        entry.item,
      );

    case 'inquiry-asked': {
      const { type: _, id: _id, atMs, inquiry: id, ...asked } = entry;
      const inquiry: AskedInquiry = { ...asked, id, askedAtMs: atMs, painted: false, standing: { status: 'pending' } };
      return { ...state, inquiries: new Map([...state.inquiries, [id, inquiry]]) };
    }
    case 'inquiry-posted':
      return withInquiry(state, entry.inquiry, (inquiry) => ({ ...inquiry, card: entry.card, painted: false }));
    case 'inquiry-painted':
      return withInquiry(state, entry.inquiry, (inquiry) => ({ ...inquiry, painted: true }));
    case 'inquiry-settled':
      return withInquiry(state, entry.inquiry, (inquiry) => {
        if (inquiry.standing.status !== 'pending')
          throw new BrokenJournalError(`settles inquiry ${entry.inquiry} twice`);
        return { ...inquiry, standing: standingAfter(entry) };
      });

    case 'feedback-given':
      return {
        ...state,
        feedback: new Map([...state.feedback, [`${entry.about} ${entry.by}`, entry.opinion]]),
        feedbackGiven: state.feedbackGiven + 1,
      };
    case 'doubt-asked':
    case 'doubt-posted':
    case 'doubt-painted':
    case 'doubt-refused':
    case 'doubt-settled':
      return foldDoubt(state, entry);

    case 'run-finished':
      return { ...state, status: { type: 'finished' } };
    case 'run-stopped':
      return { ...state, status: { type: 'stopped', cause: entry.cause, ...definedOnly({ by: entry.by }) } };
    case 'unheard':
      return { ...state, unheard: true };
    case 'sealed':
      return { ...state, sealed: true, ...definedOnly({ retireAtMs: entry.retireAtMs }) };
    default:
      return unreachable(entry);
  }
}

/** What people read along with has become what they were told. */
function toldBy(card: CardReceipt, state: RunState): RunState {
  const { channel, ts } = state.writing?.card ?? {};
  return channel === card.channel && ts === card.ts ? withoutWriting(state) : state;
}

function withoutWriting({ writing: _, ...state }: RunState): RunState {
  return state;
}

function withSaid(state: RunState, item: number): RunState {
  return withItem({ ...state, said: [...state.said, { type: 'message', item }] }, item);
}

/** Those that are among the items. */
function withTexts(state: RunState, texts: readonly (TextRef | undefined)[]): RunState {
  return texts.reduce<RunState>(
    (next, text) => (text !== undefined && 'at' in text ? withItem(next, text.at) : next),
    state,
  );
}

function withApproval(state: RunState, id: ApprovalId, change: (approval: AskedApproval) => AskedApproval): RunState {
  const approval = state.approvals.get(id);
  if (approval === undefined) throw new BrokenJournalError(`speaks of approval ${id}, which was never asked`);
  return { ...state, approvals: new Map([...state.approvals, [id, change(approval)]]) };
}

function withInquiry(state: RunState, id: ApprovalId, change: (inquiry: AskedInquiry) => AskedInquiry): RunState {
  const inquiry = state.inquiries.get(id);
  if (inquiry === undefined) throw new BrokenJournalError(`speaks of inquiry ${id}, which was never asked`);
  return { ...state, inquiries: new Map([...state.inquiries, [id, change(inquiry)]]) };
}

/** A final state never changes. The deciding functions see to it; a journal that says otherwise was tampered with. */
function settled(state: RunState, id: ApprovalId, standing: ApprovalStanding): RunState {
  return withApproval(state, id, (approval) => {
    if (approval.standing.status !== 'pending') throw new BrokenJournalError(`settles approval ${id} twice`);
    return { ...approval, standing, revision: state.version };
  });
}

/** Something happened after the end that the card has to show. */
function followed(
  state: RunState,
  id: ApprovalId,
  news: Pick<AskedApproval, 'trustEnded' | 'askedAgain' | 'outdated'>,
): RunState {
  return withApproval(state, id, (approval) => ({ ...approval, ...news, revision: state.version }));
}

/** The call's card shows how it came out, so it has something new to show. */
function shown(state: RunState, call: string): RunState {
  const id = state.calls.get(call)?.approval;
  return id === undefined ? state : withApproval(state, id, (approval) => ({ ...approval, revision: state.version }));
}

function begun({ execution }: CallState): Begun {
  if (execution.type === 'none') throw new BrokenJournalError('ends a call that was never started');
  const { attempt, startedAtMs, digest, definition, grant, tool, starts } = execution;
  return { attempt, startedAtMs, digest, definition, grant, tool, starts };
}

/** Absent and undefined are different things to a reader of JSON. */
function definedOnly<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]: Exclude<Fields[Name], undefined> } {
  // Removing exactly the undefined values is what the type says.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
