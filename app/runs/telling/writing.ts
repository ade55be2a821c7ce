import type { ToolUseBlock } from '../../../interventions/index.ts';
import type { LoopView } from '../../agent/index.ts';
import type { RunJournal } from '../../recorder/index.ts';
import type { GrowingCall } from '../../surface.ts';
import { createGrowingReply, type GrowingReplyDeps } from './growing-reply.ts';

/**
 * Lets people read along while the agent works. A view: it never fails a run, and what is told for good is told by
 * `say`, which turns what stands here into a post. That something is about to be shown is written first, and where it
 * stands right after, so that nothing half is left in a thread by a process that died.
 */
export interface Writing {
  readonly show: (view: LoopView) => void;
  /** What was written so far belongs to no answer: the model is asked again. */
  readonly takeBack: () => void;
  /** People are asked now, and nothing is to be written under their card. Call what it returns when they answered. */
  readonly rest: () => Promise<() => void>;
  /** The turn is over: from here on, nothing more is shown of it. Its text is told by `say`. */
  readonly turnEnds: () => Promise<void>;
  /** It was told. */
  readonly told: () => void;
  /** Nobody writes any more. */
  readonly end: () => Promise<void>;
}

export interface WritingDeps extends GrowingReplyDeps {
  /** One human sentence of what a call does. */
  readonly summarise: (call: ToolUseBlock) => string;
}

export function createWriting(deps: WritingDeps, journal: RunJournal): Writing {
  let text = '';
  let calls: ReadonlyMap<string, GrowingCall> = new Map();
  const reply = createGrowingReply(deps, journal, () => ({ text, calls: [...calls.values()] }));

  const showCall = (call: GrowingCall): void => {
    calls = new Map([...calls, [call.id, call]]);
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
      calls = new Map();
      reply.forget();
    },
    end: reply.end,
  };
}
