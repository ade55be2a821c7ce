import type { Borders } from '../borders.ts';
import { createRecordKeeping, type RecordKeeping } from '../keeping/index.ts';
import type { Rights } from './authority.ts';
import type { Journals } from './journals.ts';
import type { QuestionServices } from './questions.ts';

/** Makes what outlasts a run: the configuration on record, seals and retention. */
export function makeKeeping(
  { config, store, surface, tools, toolServers, work, elapsed, log, step }: Borders,
  {
    journals,
    questions,
    rights,
  }: { readonly journals: Journals; readonly questions: QuestionServices; readonly rights: Rights },
): RecordKeeping {
  return createRecordKeeping({
    config,
    store,
    journalOf: journals.journalOf,
    workspaces: journals.workspaces,
    surface,
    copies: questions.copies,
    tools,
    toolServers,
    elapsed,
    kick: work.kick,
    policyOf: rights.authority.policyOf,
    log,
    step,
  });
}
