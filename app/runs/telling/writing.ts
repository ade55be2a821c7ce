import type { ToolUseBlock } from '../../../interventions/index.ts';
import type { LoopView } from '../../agent/index.ts';
import type { RunJournal } from '../../recorder/index.ts';
import type { GrowingCall } from '../../surface.ts';
import { createGrowingReply, type GrowingReplyDeps } from './growing-reply.ts';

/**
 * Lets people read along while the agent works. It never fails a run: `say` posts the final text and turns the growing
 * reply into that post. The journal gets the intent before the reply and its place after, so that a process that dies
 * leaves no half reply behind.
 */
export interface Writing {
  readonly show: (view: LoopView) => void;
  /** Drops the text written so far, because the model is asked again. */
  readonly takeBack: () => void;
  /** Writes nothing under the card while people are asked. Call the returned function when they answered. */
  readonly rest: () => Promise<() => void>;
  /** The turn is over: from here on, nothing more is shown of it. Its text is told by `say`. */
  readonly turnEnds: () => Promise<void>;
  /** The text of the turn was posted. */
  readonly told: () => void;
  /** Ends the growing reply for good. */
  readonly end: () => Promise<void>;
}

export interface WritingDeps extends GrowingReplyDeps {
  /** What a call does, in one sentence. */
  readonly summarise: (call: ToolUseBlock) => string;
}

export function createWriting(deps: WritingDeps, journal: RunJournal): Writing {
  let text = '';
  const calls = new Map<string, GrowingCall>();
  const reply = createGrowingReply(deps, journal, () => ({ text, calls: [...calls.values()] }));

  const showCall = (call: GrowingCall): void => {
    calls.set(call.id, call);
    reply.grow();
  };

  const startAnew = (): void => {
    text = '';
    if (reply.isOpen()) void reply.drop().then(reply.grow);
  };

  return {
    show: (view) => {
      switch (view.type) {
        case 'text':
          text += view.text;
          return reply.grow();
        case 'discarded':
          return startAnew();
        case 'toolCallBegins': {
          const { toolUseId: id, name: tool } = view.toolUse;
          return showCall({ id, tool, summary: deps.summarise(view.toolUse), status: 'running' });
        }
        case 'toolCallEnds': {
          const call = calls.get(view.toolUse.toolUseId);
          if (call === undefined) return;
          return showCall({ ...call, status: view.result.status === 'error' ? 'failed' : 'ran' });
        }
        case 'message':
        case 'waits':
        case 'interrupt':
          return;
      }
    },
    takeBack: () => {
      if (text !== '') startAnew();
    },
    rest: reply.rest,
    turnEnds: reply.settle,
    told: () => {
      text = '';
      calls.clear();
      reply.forget();
    },
    end: reply.end,
  };
}
