import { GuidanceCapError } from '../errors.ts';
import type { InterventionEvent } from '../hooks/events.ts';
import { isGate } from './handler.ts';
import { PROCEED, type Ruling } from './ruling.ts';

/** How often advice may send the model back, and what happens then. Without a limit, advice could go on for ever. */
export interface GuidanceLimits {
  readonly perTurn: number;
  readonly perInvocation: number;
  /** Absent: a gate's advice becomes a denial; any other advice is dropped and the answer accepted. */
  readonly whenReached?: 'accept' | 'deny' | 'throw';
}

export const GUIDANCE_LIMITS: GuidanceLimits = { perTurn: 3, perInvocation: 10 };

export interface GuidanceCaps {
  /** Counts what a verdict would send back, and replaces the verdict once a limit is reached. */
  readonly cap: (event: InterventionEvent, verdict: Ruling) => Ruling;
  readonly answersSentBack: () => number;
  readonly callsSentBack: () => number;
  readonly nextTurn: () => void;
}

/** Counts model answers sent back and tool calls guided away, each for itself. */
export function createGuidanceCaps(limits: GuidanceLimits): GuidanceCaps {
  const answers = { turn: 0, invocation: 0 };
  const calls = { turn: 0, invocation: 0 };
  return {
    cap: (event, verdict) => {
      if (verdict.type !== 'guide') return verdict;
      const count = event.type === 'afterModelCall' ? answers : event.type === 'beforeToolCall' ? calls : undefined;
      if (count === undefined) return verdict;
      if (count.turn < limits.perTurn && count.invocation < limits.perInvocation) {
        count.turn += 1;
        count.invocation += 1;
        return verdict;
      }
      return capped(event, verdict, limits);
    },
    answersSentBack: () => answers.turn,
    callsSentBack: () => calls.turn,
    nextTurn: () => {
      answers.turn = 0;
      calls.turn = 0;
    },
  };
}

function capped(
  event: InterventionEvent,
  verdict: Ruling & { readonly type: 'guide' },
  limits: GuidanceLimits,
): Ruling {
  const gate = verdict.handlers.some(isGate);
  const fallback = gate || event.type === 'beforeToolCall' ? 'deny' : 'accept';
  const names = verdict.handlers.map(({ name }) => name).join(', ');
  switch (limits.whenReached ?? fallback) {
    case 'accept':
      // Dropping the advice must not drop the question to a person that came with it.
      return verdict.noted.length > 0 ? { type: 'confirm', noted: verdict.noted } : PROCEED;
    case 'deny':
      return { type: 'deny', handler: names, text: `DENIED: Advice did not help often enough. ${verdict.feedback}` };
    case 'throw':
      throw new GuidanceCapError(
        `${names} sent the model back more often than allowed (${limits.perTurn} per turn, ${limits.perInvocation} per invocation). Let it stop by itself, or raise the cap.`,
      );
  }
}
