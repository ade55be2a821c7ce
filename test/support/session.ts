import { createSession, type Session, type SessionOptions } from '../../app/agent/session.ts';
import { createMemoryStore, type Interrupt, type Json } from '../../interventions/index.ts';
import { handTimers, sha256 } from './scripted-model.ts';

/** A session in memory with nothing but what a test is about. */
export function session(options: Partial<SessionOptions> & Pick<SessionOptions, 'model'>): Session {
  return createSession({
    id: 'agent',
    store: createMemoryStore(),
    tools: [],
    clock: { now: () => 0 },
    timers: handTimers(),
    hash: sha256,
    ...options,
  });
}

export function reply(interrupt: Interrupt | undefined, response: Json) {
  return { interruptResponse: { interruptId: interrupt?.id ?? 'nothing was asked', response } };
}
