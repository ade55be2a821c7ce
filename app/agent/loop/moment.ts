import {
  type Asked,
  canonical,
  type Dispatched,
  type HandlerReaction,
  type Interrupt,
  InterventionError,
  type InterventionEvent,
  type Place,
  questionsOf,
  settleConfirms,
  shown,
} from '../../../interventions/index.ts';
import { given } from '../../given.ts';
import { answerDraft } from './audit.ts';
import type { Run } from './run.ts';

/** What people answered about a moment that is not a tool call, such as a call of the model. */
export type MomentAnswer =
  | { readonly type: 'approved'; readonly reactions: readonly HandlerReaction[] }
  /** People refused the moment, or answered with words that take its place. */
  | {
      readonly type: 'refused' | 'answered';
      readonly handler: string;
      readonly text: string;
      readonly reactions: readonly HandlerReaction[];
    }
  | { readonly type: 'paused'; readonly interrupts: readonly Interrupt[] };

type Moment = Exclude<InterventionEvent, { readonly type: 'beforeToolCall' | 'afterModelCall' }>;

export interface AboutMoment extends Pick<Asked, 'subject'> {
  readonly event: Moment;
  readonly place: Place;
  readonly dispatched: Dispatched;
  readonly toolUse?: ReturnType<Asked['toolUse']>;
}

export const NOBODY_ASKED: MomentAnswer = { type: 'approved', reactions: [] };

/** Whether people have to be asked before this goes on. */
export function asksSomebody({ verdict, interrupts }: Dispatched): boolean {
  return interrupts.length > 0 || questionsOf(verdict).length > 0;
}

/** Asks people all questions that handlers and callbacks have about a moment, at once. */
export async function askAbout(run: Run, about: AboutMoment): Promise<MomentAnswer> {
  const { event, place, subject, dispatched, toolUse } = about;
  const { verdict, interrupts } = dispatched;
  const noted = questionsOf(verdict);
  // A handler may add advice to the moment. People approve both together.
  const text = () => (verdict.type === 'guide' ? canonical([shown(event), verdict.feedback]) : shown(event));
  const before = text();
  const { clock, timers, hash } = run.options;
  const settled = await settleConfirms(noted, {
    about: { subject, signal: run.signal, digest: () => hash(text()), toolUse: () => toolUse },
    place,
    book: run.book,
    profile: run.profile,
    clock,
    timers,
    turnstile: run.turnstile,
    warn: run.warn,
    grants: new Set(),
    pauses: interrupts.length > 0,
    checkEdit: () => 'Only the input of a tool call can be edited.',
    onWait: (interruptId) => run.show({ type: 'waits', interruptId, ...given({ toolUse }) }),
  });
  run.check();
  if (noted.length > 0) {
    const kind = settled.type === 'interrupted' ? 'question' : 'answer';
    run.audit(() => ({ kind, event: event.type, ...answerDraft(settled) }));
  }
  if (text() !== before) {
    throw new InterventionError(
      `A handler or callback changed ${event.type} while people were asked about it, so it stops here. Change it before asking.`,
    );
  }
  switch (settled.type) {
    case 'interrupted':
      return { type: 'paused', interrupts: [...interrupts, ...settled.interrupts] };
    case 'refused':
      return { type: 'refused', handler: settled.handler, text: settled.text, reactions: settled.reactions };
    case 'answered':
      return { type: 'answered', handler: settled.handler, text: settled.text, reactions: [] };
    case 'notAsked':
      return interrupts.length > 0 ? { type: 'paused', interrupts } : NOBODY_ASKED;
    case 'approved':
      return interrupts.length > 0
        ? { type: 'paused', interrupts }
        : { type: 'approved', reactions: settled.reactions };
  }
}

/** The place of a question outside tool calls. It has the number of questions settled before: each answer counts once. */
export function momentPlace(run: Run, kind: 'beforeInvocation' | 'beforeModelCall'): Place {
  const { turn = 0, settled = 0 } = run.state();
  return { agentId: run.agentId, kind, turn, attempt: 1, round: settled };
}
