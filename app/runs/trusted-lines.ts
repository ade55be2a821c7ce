import type { RunState } from '../journal/state.ts';
import type { Log } from '../log.ts';
import type { Grant, GrantId } from '../records.ts';
import type { RunJournal } from '../run-journal.ts';
import type { Posts } from './posts.ts';
import { WORDS } from './words.ts';

/**
 * Calls that ran on a standing yes: one line for each trust and run, which shows the newest call and counts them all. The
 * count is read from the journal, so whatever line a dead process left behind is put right by the next call.
 */
export interface TrustedLines {
  readonly ran: (call: TrustedCall) => void;
}

export interface TrustedCall {
  readonly tool: string;
  readonly summary: string;
  readonly grant: Grant;
}

export function createTrustedLines(
  { posts, log }: { readonly posts: Pick<Posts, 'keep'>; readonly log: Log },
  journal: Pick<RunJournal, 'run' | 'state'>,
): TrustedLines {
  const newest = new Map<GrantId, TrustedCall>();
  const showing = new Set<GrantId>();

  /** One edit at a time: of the calls that begin meanwhile, only the last is shown. */
  const show = async (grant: GrantId): Promise<void> => {
    for (let call = newest.get(grant); call !== undefined; call = newest.get(grant)) {
      newest.delete(grant);
      const count = callsOn(journal.state(), grant);
      const words = {
        text: WORDS.trusted(call.tool, call.summary, count),
        signed: { label: 'Trusted by', user: call.grant.by },
        endsTrust: grant,
      };
      await posts.keep(`trusted/${grant}`, words).catch((error: unknown) => {
        log.warn('The thread could not be told of a call that is trusted.', { run: journal.run, grant, error });
      });
    }
    showing.delete(grant);
  };

  return {
    ran: (call) => {
      newest.set(call.grant.id, call);
      if (showing.has(call.grant.id)) return;
      showing.add(call.grant.id);
      void show(call.grant.id);
    },
  };
}

/** How many calls of the run were begun on this trust. */
export function callsOn(state: Pick<RunState, 'calls'> | undefined, grant: GrantId): number {
  return [...(state?.calls.values() ?? [])].filter(
    ({ execution }) => execution.type !== 'none' && execution.grant.type === 'trust' && execution.grant.grant === grant,
  ).length;
}
