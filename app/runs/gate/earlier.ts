import type { Message } from '../../../interventions/index.ts';
import type { RunState } from '../../journal/index.ts';
import { LIMITS } from '../../limits.ts';
import type { RunJournal } from '../../recorder/index.ts';
import type { RunId } from '../../records/index.ts';
import { closeTranscript, MissingItemError, readTranscript } from '../telling/transcript.ts';

/** The messages of this thread from before this run, as many as the model is shown. */
export async function earlierMessages(
  journalOf: (run: RunId) => RunJournal,
  state: RunState,
): Promise<readonly Message[]> {
  const parts: (readonly Message[])[] = [];
  let count = 0;
  for (let run = state.previous; run !== undefined && count < LIMITS.transcriptMessages; ) {
    const journal = journalOf(run);
    const before = await journal.refresh();
    if (before === undefined) break;
    const messages = messagesOf(before, await journal.items());
    parts.unshift(messages);
    count += messages.length;
    run = before.previous;
  }
  return parts.flat();
}

/** Of a run with lost items the model is shown nothing: the thread still goes on. */
function messagesOf(state: RunState, items: readonly string[]): readonly Message[] {
  try {
    return closeTranscript(readTranscript(state, items));
    // The store may have lost an item.
  } catch (error) {
    if (error instanceof MissingItemError) return [];
    throw error;
  }
}
