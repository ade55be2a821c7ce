import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { duration, rightToDecide, trustLine, whyNotTrusted } from '../../app/policy.ts';
import type { DecisionRule } from '../../app/records.ts';
import { defineTool, type Tool } from '../../app/tools/index.ts';
import { HOUR_MS, user } from '../support/journal.ts';

const [ANN, BEN, ZOE] = [user('ANN'), user('BEN'), user('ZOE')];
const anyone: DecisionRule = { approvers: [], selfApproval: true };
const facts = { requester: ANN, presser: ANN, presserTeam: 'T1', threadTeam: 'T1' };

describe('the right to decide', () => {
  it('P31 is the requester’s when nobody is named, and nobody else’s', () => {
    expect(rightToDecide(anyone, 'asked', facts)).toEqual({ type: 'allowed' });
    expect(rightToDecide(anyone, 'asked', { ...facts, presser: ZOE })).toMatchObject({
      type: 'refused',
      why: expect.stringContaining('Only the person who asked'),
    });
  });

  it('P32 over a guarded call takes a named approver', () => {
    expect(rightToDecide(anyone, 'guarded', facts).type).toBe('refused');
    const named: DecisionRule = { approvers: [ANN, BEN], selfApproval: false };
    expect(rightToDecide(named, 'guarded', { ...facts, presser: BEN }).type).toBe('allowed');
    expect(rightToDecide(named, 'guarded', facts)).toMatchObject({ type: 'refused' });
  });

  it('is nobody’s from another workspace, whoever they are', () => {
    expect(rightToDecide(anyone, 'asked', { ...facts, presserTeam: 'T2' }).type).toBe('refused');
  });
});

describe('a line of trust', () => {
  it('P54 differs wherever what it grants differs', () => {
    const lines = (['exact', 'any'] as const).flatMap((match) =>
      (['thread', 'channel', 'requester'] as const).flatMap((scope) =>
        [HOUR_MS, 2 * HOUR_MS, 24 * HOUR_MS].map((forMs) => trustLine('deploy', { match, scope, forMs })),
      ),
    );

    expect(new Set(lines).size).toBe(lines.length);
    expect(lines).toContain('deploy, with any input, in this thread, for 1 hour');
  });

  it.each([
    [60_000, '1 minute'],
    [90 * 60_000, '90 minutes'],
    [HOUR_MS, '1 hour'],
    [48 * HOUR_MS, '2 days'],
    [1_500, '2 seconds'],
  ])('says %d ms as %s', (ms, words) => {
    expect(duration(ms)).toBe(words);
  });
});

describe('trust in words', () => {
  const tool = (effect: Tool['effect'], approvers: readonly string[] = []): Tool =>
    defineTool({
      name: 'deploy',
      description: 'Deploys.',
      input: z.object({}),
      effect,
      because: 'a test',
      ...(approvers.length === 0 ? {} : { approvers }),
      run: () => '',
    });
  const wish = { name: 'deploy', by: ZOE, scope: 'requester' as const, requester: undefined };

  it.each([
    ['an unknown tool', undefined, wish, 'There is no tool named deploy'],
    ['an open tool', tool('open'), wish, 'is open'],
    ['P39 P50 a guarded tool', tool('guarded', ['U0BEN00001']), wish, 'cannot be trusted'],
    [
      'a whole channel without approvers',
      tool('asked'),
      { ...wish, scope: 'channel' as const },
      'No approvers are named',
    ],
    [
      'a thread that somebody else began',
      tool('asked'),
      { ...wish, scope: 'thread' as const, requester: ANN },
      'Somebody else began this thread',
    ],
    ['a tool with approvers, by somebody else', tool('asked', ['U0BEN00001']), wish, 'Only the approvers of deploy'],
  ])('is refused for %s', (_what, subject, facts_, words) => {
    expect(whyNotTrusted(subject, facts_)).toContain(words);
  });

  it('is taken from a person for themselves, in their own thread, and from an approver anywhere', () => {
    expect(whyNotTrusted(tool('asked'), wish)).toBeUndefined();
    expect(whyNotTrusted(tool('asked'), { ...wish, scope: 'thread', requester: ZOE })).toBeUndefined();
    const approver = user('U0BEN00001');
    // A second person is asked for, so nobody may wave their own calls through.
    const foursome = { ...tool('asked', ['U0BEN00001']), selfApproval: false };
    expect(whyNotTrusted(foursome, { ...wish, by: approver })).toContain('your own calls');
    expect(whyNotTrusted(foursome, { ...wish, by: approver, scope: 'channel' })).toBeUndefined();
    expect(whyNotTrusted(tool('asked', ['U0BEN00001']), { ...wish, by: approver, scope: 'channel' })).toBeUndefined();
  });
});
