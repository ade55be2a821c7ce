import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alternating } from '../../../app/agent/index.ts';
import type { LoopFact } from '../../../app/agent/ports.ts';
import { alternatingOf, applyFact, type LoopState } from '../../../app/agent/transcript.ts';
import type { Message } from '../../../interventions/index.ts';

const said = (role: Message['role'], text: string): Message => ({ role, content: [{ type: 'text', text }] });
const spoken = (role: Message['role']): LoopFact => ({ type: 'message', message: said(role, 'a') });
const roles = (state: LoopState) => alternatingOf(state).map(({ role }) => role);

const message = fc.record(
  { role: fc.constantFrom<Message['role']>('user', 'assistant'), origin: fc.constant('guidance' as const) },
  { requiredKeys: ['role'] },
);
const messages = fc.array(
  message.map((one): Message => ({ ...said(one.role, 'a'), ...one })),
  { maxLength: 4 },
);

describe('the messages of a state alternate their roles', () => {
  it('after each fact as if the whole conversation were looked through (W-04)', () => {
    fc.assert(
      fc.property(messages, fc.array(messages), (first, rest) => {
        let state: LoopState = { messages: first };
        for (const more of [[], ...rest]) {
          state = applyFact(state, { type: 'settled', messages: more });
          expect(alternatingOf(state)).toEqual(alternating([...state.messages]));
        }
      }),
    );
  });

  it('also when a message was put into the list itself (W-04)', () => {
    const list = [said('user', 'a')];
    expect(roles({ messages: list })).toEqual(['user']);

    list.push(said('user', 'b'));

    expect(roles({ messages: list })).toEqual(['user']);
    expect(roles(applyFact({ messages: list }, spoken('user')))).toEqual(['user']);
  });

  it('and what was looked through once is not looked through again (W-04)', () => {
    let looks = 0;
    const counted = (role: Message['role']): Message => ({
      content: [],
      get role() {
        looks += 1;
        return role;
      },
    });
    const first: LoopState = {
      messages: Array.from({ length: 100 }, (_, at) => counted(at % 2 ? 'assistant' : 'user')),
    };
    alternatingOf(first);
    looks = 0;

    const next = applyFact(applyFact(first, spoken('user')), spoken('assistant'));

    expect(alternatingOf(first)).toBe(first.messages);
    expect(alternatingOf(next)).toBe(next.messages);
    expect(looks).toBe(1);
  });
});
