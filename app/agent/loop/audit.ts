import {
  type AuditDraft,
  canonical,
  type DecidedEvent,
  type InvocationState,
  type Json,
  redactSecrets,
  type Settled,
} from '../../../interventions/index.ts';
import { given } from '../../given.ts';
import type { LoopOptions } from './options.ts';

/** What a place in the loop records; who, where and when are added. */
export type RunDraft = Omit<AuditDraft, 'atMs' | 'agent' | 'turn' | 'conversation' | 'requester'>;

interface Where {
  readonly invocationState: InvocationState;
  readonly agentId: string;
  readonly turn: () => number;
}

/** Makes audit records. Without a sink none are made. */
export function auditOf({ audit, clock }: LoopOptions, where: Where): (make: () => RunDraft) => void {
  if (audit === undefined) return () => {};
  const { thread, requester } = where.invocationState;
  return (make) =>
    audit({
      atMs: clock.now(),
      agent: where.agentId,
      turn: where.turn(),
      ...(thread === undefined ? {} : { conversation: typeof thread === 'string' ? thread : canonical(thread) }),
      ...(typeof requester === 'string' ? { requester } : {}),
      ...make(),
    });
}

export function decisionDraft(decided: DecidedEvent, hash: (text: string) => string): RunDraft {
  const { handler, event, action, reason, durationMs } = decided;
  const about = event.type === 'beforeToolCall' ? aboutCall(event.toolUse.toolUseId, event.effective(), hash) : {};
  return {
    kind: action === 'failed' ? 'failure' : 'decision',
    handler,
    event: event.type,
    action,
    durationMs,
    ...given({ reason }),
    ...about,
  };
}

export function aboutCall(
  toolUseId: string,
  { name, input }: { readonly name: string; readonly input: Json },
  hash: (text: string) => string,
): Pick<AuditDraft, 'tool' | 'toolUseId' | 'inputHash' | 'preview'> {
  return { tool: name, toolUseId, inputHash: hash(canonical(input)), preview: redactSecrets(name, input) };
}

export function answerDraft(settled: Settled): Pick<AuditDraft, 'answer' | 'approvers' | 'reason' | 'handler'> {
  switch (settled.type) {
    case 'notAsked':
      return {};
    case 'approved':
      return {
        answer: settled.editedInput === undefined ? 'approved' : 'approved with an edit',
        approvers: settled.approvers,
      };
    case 'refused':
      return { answer: settled.because, approvers: settled.approvers, reason: settled.text, handler: settled.handler };
    case 'answered':
      return { answer: 'answered', approvers: settled.approvers, handler: settled.handler };
    case 'interrupted':
      return { answer: 'waiting' };
  }
}
