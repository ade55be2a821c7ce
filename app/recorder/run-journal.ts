import { canonical, type Message } from '../../interventions/index.ts';
import {
  type AskedApproval,
  type AskedDoubt,
  approvedAsShown,
  type EntryBody,
  owedDoubts,
  owedInquiries,
  owedPaintings,
  type RunState,
  rowsOf,
  runKind,
  type TextRef,
  textOf,
  toApproval,
  toDoubt,
  toInquiry,
  toolUseIdOf,
} from '../journal/index.ts';
import { LIMITS } from '../limits.ts';
import type { Approval, ApprovalId, Doubt, Inquiry, ListCard, RunId } from '../records/index.ts';
import type { Store } from '../store/index.ts';
import { createRecorder, type Recorder, type RecorderDeps } from './recorder.ts';

/** One run's journal together with its items, as everything that concerns runs reads and writes it. */
export interface RunJournal extends Recorder<RunState, EntryBody> {
  readonly run: RunId;
  readonly items: (from?: number) => Promise<readonly string[]>;
  /** The record of an approval, complete with a long input. */
  readonly approval: (id: ApprovalId) => Promise<Approval | undefined>;
  /** A list card with the record of each of its rows. */
  readonly list: (id: ApprovalId) => Promise<ListCard | undefined>;
  /** What was asked and what was approved in its place, to the letter and with every secret: for what runs, never to be shown. */
  readonly inputOf: (id: ApprovalId) => Promise<ApprovedInput | undefined>;
  /** What the model asked for in a call that is in doubt, with every secret: for rules about it, never to be shown. */
  readonly requestOf: (doubt: ApprovalId) => Promise<string | undefined>;
  /**
   * Where an input and what people see of it are kept: short ones in the entry itself, long ones as items at the end of
   * the list as it is now. Where items are encrypted, an input is always one.
   */
  readonly keep: (state: Pick<RunState, 'items'>, texts: KeptTexts) => Kept;
  /** Records whose cards show something older. */
  readonly owed: () => Promise<readonly Approval[]>;
  readonly inquiry: (id: ApprovalId) => Inquiry | undefined;
  /** Inquiries whose cards still show buttons. */
  readonly owedInquiries: () => readonly Inquiry[];
  /** The record of a doubt, complete with a long input. */
  readonly doubt: (id: ApprovalId) => Promise<Doubt | undefined>;
  /** Doubts whose cards still show buttons. */
  readonly owedDoubts: () => Promise<readonly Doubt[]>;
}

export interface KeptTexts {
  readonly input: string;
  readonly shown: string | undefined;
}

export interface Kept {
  readonly refs: { readonly input: TextRef; readonly shown?: TextRef };
  readonly items: readonly string[];
}

export interface ApprovedInput {
  readonly asked: string;
  readonly edited?: string;
}

export interface RunJournalDeps extends RecorderDeps {
  readonly store: Pick<Store, 'read' | 'append' | 'readItems'>;
  /** Items are encrypted and entries are not. */
  readonly sealsItems?: boolean;
  /** What a person and a tool use is counted across runs. */
  readonly counts?: boolean;
}

export function openRunJournal(deps: RunJournalDeps, run: RunId): RunJournal {
  const recorder = createRecorder(deps, run, runKind(LIMITS.graceMs, deps.counts));
  const items = (from = 0) => deps.store.readItems(run, from);

  /** Looks up those of the texts that are among the items. */
  const lookUp = async (texts: readonly (TextRef | undefined)[]) => {
    const long = new Map<number, string>();
    for (const ref of texts) {
      if (ref === undefined || 'text' in ref) continue;
      const [text] = await items(ref.at);
      if (text !== undefined) long.set(ref.at, text);
    }
    return (at: number): string | undefined => long.get(at);
  };

  const complete = async (state: RunState, asked: AskedApproval): Promise<Approval> => {
    const { input, shown = input, standing } = asked;
    const edit = standing.status === 'decided' ? standing.decision.edit : undefined;
    return toApproval(state, asked, await lookUp([shown, edit?.shown ?? edit?.input]));
  };

  const completeDoubt = async (state: RunState, asked: AskedDoubt): Promise<Doubt> => {
    const approval = state.calls.get(asked.call)?.approval;
    const known = approval === undefined ? undefined : state.approvals.get(approval);
    const input = asked.input ?? (known === undefined ? { text: '' } : approvedAsShown(known));
    return toDoubt(state, asked, {
      input: textOf(input, await lookUp([input])),
      ...(approval === undefined ? {} : { approval }),
    });
  };

  return {
    ...recorder,
    run,
    items,
    approval: async (id) => {
      const state = recorder.state();
      const asked = state?.approvals.get(id);
      return state === undefined || asked === undefined ? undefined : complete(state, asked);
    },
    list: async (id) => {
      const state = recorder.state();
      const asked = state === undefined ? [] : rowsOf(state, id);
      if (state === undefined || asked.length === 0) return undefined;
      const { run, thread, requester } = state;
      const card = asked.find((row) => row.card !== undefined)?.card;
      return {
        id,
        run,
        thread,
        requester,
        rows: await Promise.all(asked.map((row) => complete(state, row))),
        revision: Math.max(...asked.map(({ revision }) => revision)),
        ...(card === undefined ? {} : { card }),
      };
    },
    requestOf: async (id) => {
      const state = recorder.state();
      const call = state?.doubts.get(id)?.call;
      return state === undefined || call === undefined ? undefined : requested(state, call, items);
    },
    inputOf: async (id) => {
      const asked = recorder.state()?.approvals.get(id);
      if (asked === undefined) return undefined;
      const edit = asked.standing.status === 'decided' ? asked.standing.decision.edit : undefined;
      const item = await lookUp([asked.input, edit?.input]);
      return {
        asked: textOf(asked.input, item),
        ...(edit === undefined ? {} : { edited: textOf(edit.input, item) }),
      };
    },
    keep: ({ items: end }, { input, shown }) => {
      const kept: string[] = [];
      const put = (text: string, inline: boolean): TextRef => {
        if (inline && text.length <= LIMITS.inlineInputChars) return { text };
        kept.push(text);
        return { at: end + kept.length - 1 };
      };
      const refs = {
        input: put(input, deps.sealsItems !== true),
        ...(shown === undefined ? {} : { shown: put(shown, true) }),
      };
      return { refs, items: kept };
    },
    owed: async () => {
      const state = recorder.state();
      return state === undefined ? [] : Promise.all(owedPaintings(state).map((asked) => complete(state, asked)));
    },
    inquiry: (id) => {
      const state = recorder.state();
      const asked = state?.inquiries.get(id);
      return state === undefined || asked === undefined ? undefined : toInquiry(state, asked);
    },
    owedInquiries: () => {
      const state = recorder.state();
      return state === undefined ? [] : owedInquiries(state).map((asked) => toInquiry(state, asked));
    },
    doubt: async (id) => {
      const state = recorder.state();
      const asked = state?.doubts.get(id);
      return state === undefined || asked === undefined ? undefined : completeDoubt(state, asked);
    },
    owedDoubts: async () => {
      const state = recorder.state();
      return state === undefined ? [] : Promise.all(owedDoubts(state).map((asked) => completeDoubt(state, asked)));
    },
  };
}

/** The input of a call as the model wrote it, in the answer in which it asked for it. */
async function requested(
  state: RunState,
  call: string,
  items: (from: number) => Promise<readonly string[]>,
): Promise<string | undefined> {
  const toolUseId = toolUseIdOf(state, call);
  const turn = Number(call.slice(0, call.indexOf('/')));
  const said = state.said.find((one) => one.type === 'turn' && one.turn === turn);
  const [text] = said === undefined ? [] : await items(said.item);
  if (text === undefined) return undefined;
  const message: Message = JSON.parse(text);
  const request = message.content.find((block) => block.type === 'toolUse' && block.toolUseId === toolUseId);
  return request?.type === 'toolUse' ? canonical(request.input) : undefined;
}
