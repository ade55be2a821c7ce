import { describe, expect, it } from 'vitest';
import {
  confirm,
  createGuidanceCaps,
  GUIDANCE_LIMITS,
  type Handler,
  type Ruling,
} from '../../../interventions/index.ts';
import { fold } from '../../../interventions/pipeline/ruling.ts';
import { callEvent } from '../../support/event.ts';

const handler: Handler = { name: 'h' };
const noted = [{ handler, confirm: confirm('Sure?') }];
const advice = (questions: typeof noted): Ruling => ({
  type: 'guide',
  feedback: 'no',
  handlers: [handler],
  noted: questions,
});
const event = callEvent();

describe('the combined answer of all handlers', () => {
  it('is to go on when no handler has an answer, and never a question without a question (BEY-15)', () => {
    expect(fold([])).toEqual({ type: 'proceed' });
  });

  it('keeps the questions when advice no longer counts, or nothing (BEY-9)', () => {
    const caps = createGuidanceCaps({ ...GUIDANCE_LIMITS, perTurn: 0, whenReached: 'accept' });

    expect(caps.cap(event, advice(noted))).toEqual({ type: 'confirm', noted });
    expect(caps.cap(event, advice([]))).toEqual({ type: 'proceed' });
  });
});
