import { LIMITS } from '../limits.ts';
import type { RunJournal } from '../recorder/index.ts';
import { type InquiryContent, RunId } from '../records/index.ts';
import type { OwnWay } from './answering.ts';
import type { QuestionsAtWork } from './questions.ts';

/** What tool servers ask people in the middle of a call. */

export interface ServerAsking {
  /** The key of the running call, as its tool got it. */
  readonly key: string;
  readonly server: string;
  readonly tool: string;
  readonly message: string;
  /** The form, as a JSON Schema. */
  readonly schema: object;
  /** Aborted when the call no longer wants the answer. */
  readonly signal: AbortSignal;
}

export type ToldServer =
  | { readonly action: 'accept'; readonly content: InquiryContent }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

export interface AskForServerDeps {
  /** Journals that wait through an outage, as the call can. */
  readonly journalOf: (run: RunId) => RunJournal;
  readonly inquiry: QuestionsAtWork['inquiry'];
}

/** Resolves with the answer for the server. Without an answer from a person, that is `cancel`. */
export async function askForServer(
  { journalOf, inquiry }: AskForServerDeps,
  asking: ServerAsking,
): Promise<ToldServer> {
  const { key, server, tool, message, signal } = asking;
  const place = placeOf(key);
  if (place === undefined || signal.aborted) return { action: 'cancel' };
  const journal = journalOf(place.run);
  await journal.refresh();
  const json = JSON.stringify(asking.schema);
  const schema = json.length > LIMITS.inquirySchemaChars ? '' : json;
  const asked = await inquiry.ask(journal, { ask: { call: place.call, server, tool, message, schema }, signal });
  const standing = asked?.standing;
  switch (standing?.status) {
    case 'answered':
      return { action: 'accept', content: standing.content };
    case 'declined':
      return { action: 'decline' };
    default:
      return { action: 'cancel' };
  }
}

/** The key of a running call is the id of its run, a slash, and the name of the call in that run. */
function placeOf(key: string): { readonly run: RunId; readonly call: string } | undefined {
  const slash = key.indexOf('/');
  const run = RunId.safeParse(key.slice(0, Math.max(0, slash)));
  return run.success ? { run: run.data, call: key.slice(slash + 1) } : undefined;
}

/** What is wrong with an answer by the server's own schema, if anything. */
export type SchemaProblem = (schema: string, content: InquiryContent) => Promise<string | undefined>;

export const wayOfInquiries = (schemaProblem: SchemaProblem): OwnWay<'inquiry'> => ({
  problem: async ({ schema }, { how, content = {} }) =>
    how === 'answered' ? schemaProblem(schema, content) : undefined,
});
