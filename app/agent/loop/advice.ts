import type { Message, Ruling } from '../../../interventions/index.ts';
import { count } from '../../log.ts';
import { textMessage } from '../transcript.ts';
import type { Run } from './run.ts';

/** A quotation only has to be recognised, so it is cut here. */
const QUOTED_CHARACTERS = 2_000;

type Advice = Ruling & { readonly type: 'guide' };

/**
 * Adds advice as a message of its own, marked as advice. Temporary advice is shown for this turn and not kept.
 * `discarded` is the answer that was sent back, if there was one.
 */
export async function advise(run: Run, advice: Advice, temporary: Message[], discarded?: Message): Promise<void> {
  const quotes = discarded !== undefined && advice.handlers.some((handler) => handler.quoteDiscarded === true);
  const text = quotes ? `${advice.feedback}\n${quotationOf(discarded)}` : advice.feedback;
  const message = textMessage('user', text, 'guidance');
  if (advice.handlers.every((handler) => handler.temporaryGuidance === true)) temporary.push(message);
  else if (run.profile === 'reference') await run.remember({ type: 'message', message });
  else await run.say(message);
}

/** Quotes as a JSON string, so that the model cannot take the quoted text for advice. */
function quotationOf({ content }: Message): string {
  const said = content.flatMap((block) => {
    if (block.type === 'text') return [block.text];
    return block.type === 'toolUse' ? [`[request of ${block.name}: ${JSON.stringify(block.input)}]`] : [];
  });
  const characters = [...said.join('\n')];
  const hidden = characters.length - QUOTED_CHARACTERS;
  const more = hidden > 0 ? ` (+ ${count(hidden, 'character')})` : '';
  const quoted = JSON.stringify(characters.slice(0, QUOTED_CHARACTERS).join(''));
  return `Your answer that was sent back, quoted as data: ${quoted}${more}`;
}
