import type { Message } from '../../../interventions/index.ts';
import type { RunState } from '../../journal/index.ts';
import { LIMITS } from '../../limits.ts';
import type { RunJournal } from '../../recorder/index.ts';
import type { RunId } from '../../records/index.ts';
import { turnsByLength } from '../../time/index.ts';
import { closeTranscript, readTranscript } from '../telling/transcript.ts';

/** The messages of this thread from before this run, as many as the model is shown. */
export async function earlierMessages(
  journalOf: (run: RunId) => RunJournal,
  state: RunState,
): Promise<readonly Message[]> {
  const parts: (readonly Message[])[] = [];
  const turnAfter = turnsByLength();
  let count = 0;
  for (let run = state.previous; run !== undefined && count < LIMITS.transcriptMessages; ) {
    const journal = journalOf(run);
    const before = await journal.refreshUnlessOver();
    if (before === undefined) break;
    const items = await journal.items();
    // The store may have lost items. The model is shown nothing of such a run, and the thread goes on.
    const messages = items.length < before.items ? [] : closeTranscript(readTranscript(before, items));
    parts.unshift(messages);
    await turnAfter(items.reduce((chars, item) => chars + item.length, 0));
    count += messages.length;
    run = before.previous;
  }
  return parts.flat();
}
