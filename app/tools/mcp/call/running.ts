import type { Timers } from '../../../../interventions/index.ts';
import { SERVER_LIMITS } from '../limits.ts';
import type { Elicitation, ElicitationAnswer, ElicitationContext, OnElicitation } from './elicitation.ts';
import { answerElicitation } from './elicitation.ts';

/** The reason of the signal when a call has reached its time limit. */
export class CallTimeError extends Error {
  override readonly name = 'CallTimeError';
  readonly limitMs: number;

  constructor(limitMs: number) {
    super(`The call had its time of ${limitMs / 1000} s.`);
    this.limitMs = limitMs;
  }
}

/** A running call: its time limit, which pauses while people are asked, and its questions. */
export interface RunningCall {
  /** Aborted when the call is stopped from outside, or when its time is over. */
  readonly signal: AbortSignal;
  readonly ask: (question: Elicitation, signal: AbortSignal) => Promise<ElicitationAnswer>;
  readonly end: () => void;
}

export interface RunningCallDeps {
  readonly about: ElicitationContext;
  readonly timeoutMs: number;
  readonly timers: Timers;
  readonly now: () => number;
  readonly onElicitation: OnElicitation;
}

export function startCall({ about, timeoutMs, timers, now, onElicitation }: RunningCallDeps): RunningCall {
  const controller = new AbortController();
  const stop = () => controller.abort(about.signal.reason);
  about.signal.addEventListener('abort', stop, { once: true });

  let leftMs = timeoutMs;
  let sinceMs = now();
  const arm = () => {
    sinceMs = now();
    return timers.after(Math.max(0, leftMs), () => controller.abort(new CallTimeError(timeoutMs)));
  };
  let disarm = arm();
  let questions = 0;
  let waiting = 0;
  let over = false;

  const ask: RunningCall['ask'] = async (question, asked) => {
    questions += 1;
    if (questions > SERVER_LIMITS.questionsPerCall) return { action: 'cancel' };
    if (waiting === 0) {
      disarm();
      leftMs -= now() - sinceMs;
    }
    waiting += 1;
    const patience = new AbortController();
    const stopWaiting = timers.after(SERVER_LIMITS.questionMs, () => patience.abort());
    const signal = AbortSignal.any([controller.signal, asked, patience.signal]);
    try {
      return await Promise.race([answerElicitation(onElicitation, question, { ...about, signal }), cancelled(signal)]);
    } finally {
      stopWaiting();
      waiting -= 1;
      if (waiting === 0 && !over) disarm = arm();
    }
  };
  const end = () => {
    over = true;
    disarm();
    about.signal.removeEventListener('abort', stop);
    // A question that is still shown has no call any more, so it is withdrawn.
    controller.abort(new Error('The call is over.'));
  };
  return { signal: controller.signal, ask, end };
}

/** The longest that a call can take with all its questions, and a little more. It is the time limit of the tool. */
export function longestCallMs(timeoutMs: number): number {
  return timeoutMs + SERVER_LIMITS.questionsPerCall * SERVER_LIMITS.questionMs + SERVER_LIMITS.answerMs + 1_000;
}

function cancelled(signal: AbortSignal): Promise<ElicitationAnswer> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve({ action: 'cancel' });
    signal.addEventListener('abort', () => resolve({ action: 'cancel' }), { once: true });
  });
}
