import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { duration, offerFor, trustLine, whyNotTrusted } from '../../../app/authority/trust-lines.ts';
import { covers, type GrantedCall } from '../../../app/journal/index.ts';
import type { StandingTrust, TrustOffer } from '../../../app/records/index.ts';
import { digestText } from '../../../app/runs/gate/granted-call.ts';
import { DEFAULT_TRUST, defineTool, type Tool } from '../../../app/tools/index.ts';
import { canonicalCall, type Json } from '../../../interventions/index.ts';
import { grantId, HOUR_MS, THREAD, user } from '../../support/journal.ts';

const person = (id: string) => ({
  user: user(id),
  team: 'T1',
  account: 'person' as const,
  groups: [],
  inChannel: true,
});

const value = fc.constantFrom<Json>('mail', 'mail and to web', 'true', true, null, 1, '1', '', ['mail'], { to: 'web' });
const anyInput = fc
  .record({ service: value, to: value, 'a b': value }, { requiredKeys: [] })
  .map((input): Json => JSON.parse(JSON.stringify(input)));
const anyTerms = fc.record({
  match: fc.constantFrom('exact' as const, 'fields' as const, 'any' as const),
  fields: fc.constantFrom(['service'], ['to'], ['service', 'to']),
});

const digestOf = (input: Json) => digestText(canonicalCall({ name: 'deploy', input }));
const about = {
  team: THREAD.team,
  tool: 'deploy',
  definition: 'v1',
  policy: 'p1',
  thread: THREAD,
  requester: user('ANN'),
};

const trustOn = (offer: TrustOffer, input: Json): StandingTrust => ({
  ...about,
  ...{ id: grantId(), offer, digest: digestOf(input), by: user('ANN'), givenAtMs: 0, untilMs: HOUR_MS, uses: 0 },
});

const callWith = (input: Json): GrantedCall => ({
  ...about,
  ...{ digest: digestOf(input), input, steeredBy: [user('ANN')] },
});

describe('a line of trust', () => {
  it('differs whenever the terms that it grants differ (P54)', () => {
    const lines = (['exact', 'any'] as const).flatMap((match) =>
      (['thread', 'channel', 'requester'] as const).flatMap((scope) =>
        [HOUR_MS, 2 * HOUR_MS, 24 * HOUR_MS].map((forMs) => trustLine('deploy', { match, scope, forMs })),
      ),
    );

    expect(new Set(lines).size).toBe(lines.length);
    expect(lines).toContain('deploy with any input, in this thread, for 1 hour');
  });

  it('covers exactly the calls that would have the same line (P51, P53)', () => {
    fc.assert(
      fc.property(anyInput, anyInput, anyTerms, (trusted, called, { match, fields }) => {
        const preset = { match, scope: 'thread', forMs: HOUR_MS, ...(match === 'fields' ? { fields } : {}) } as const;
        const [offer, other] = [trusted, called].map((input) => offerFor('deploy', preset, input, input));
        fc.pre(offer !== undefined);

        expect(covers(trustOn(offer, trusted), callWith(called), 1)).toBe(other?.line === offer.line);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    [{ service: 'mail' }, 'deploy with service mail, in this thread, for 1 hour'],
    [{ b: 2, a: null }, 'deploy with b 2 and a null, in this thread, for 1 hour'],
    [{}, 'deploy with an empty input, in this thread, for 1 hour'],
    ['mail', 'deploy with the input "mail", in this thread, for 1 hour'],
    [{ token: '[hidden 3fa9c1d20b]' }, 'deploy with token "[hidden 3fa9c1d20b]", in this thread, for 1 hour'],
  ])('names the input to which the trust is bound: %j (MF-13)', (shown, line) => {
    expect(offerFor('deploy', { match: 'exact', scope: 'thread', forMs: HOUR_MS }, 'raw', shown)?.line).toBe(line);
  });

  it('gives the length and the beginning of an input that does not fit into a line, and says where all of it is (MF-13, SURF-1)', () => {
    const preset = { match: 'exact', scope: 'thread', forMs: HOUR_MS } as const;
    const offer = offerFor('deploy', preset, 'raw', { text: 'x'.repeat(2_000) });

    expect(offer?.line).toMatch(
      /^deploy with one input of 2,011 characters, which begins \{"text":"x+… \(all of it is on its card\), in this thread/,
    );
    expect(offer?.line.length).toBeLessThan(250);
  });

  it('names the whole input when a line has room for it', () => {
    const preset = { match: 'exact', scope: 'thread', forMs: HOUR_MS } as const;
    const lineOf = (shown: Json): string => offerFor('deploy', preset, 'raw', shown)?.line ?? '';

    expect(lineOf({ text: 'x'.repeat(155) })).toContain('x,');
    expect(lineOf({ text: 'x'.repeat(156) })).toContain('with one input of 167 characters');
    expect(lineOf('x'.repeat(158))).toContain('with the input "x');
    expect(lineOf('x'.repeat(159))).toContain('with one input of 161 characters');
    expect(lineOf(['a', 'b'])).toContain('with the input ["a","b"],');
    expect(lineOf(null)).toContain('with the input null,');
  });

  it.each<[Json, string]>([
    [{ note: 'a and anything else' }, 'deploy with note "a and anything else"'],
    [{ note: 'true' }, 'deploy with note "true"'],
    [{ note: '5' }, 'deploy with note "5"'],
    [{ note: 'and' }, 'deploy with note "and"'],
    [{ 'a b': 'c' }, 'deploy with "a b" c'],
  ])('writes %j so that no part of it reads like the sentence (SURF-1)', (shown, begins) => {
    const preset = { match: 'exact', scope: 'thread', forMs: HOUR_MS } as const;
    expect(offerFor('deploy', preset, 'raw', shown)?.line).toBe(`${begins}, in this thread, for 1 hour`);
  });

  it('gives the number of uses', () => {
    const terms = { match: 'any', scope: 'channel', forMs: HOUR_MS } as const;

    expect(trustLine('deploy', { ...terms, uses: 1 })).toBe(
      'deploy with any input, in this channel, for 1 hour, at most once',
    );
    expect(trustLine('deploy', { ...terms, uses: 2 })).toMatch(/, at most 2 times$/);
  });

  it.each([
    [60_000, '1 minute'],
    [90 * 60_000, '90 minutes'],
    [HOUR_MS, '1 hour'],
    [48 * HOUR_MS, '2 days'],
    [1_500, '2 seconds'],
    [1_000, '1 second'],
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
  const wish = { name: 'deploy', by: person('UZOE'), scope: 'requester' as const, requester: undefined };

  it.each([
    ['an unknown tool', undefined, wish, 'There is no tool named deploy'],
    ['an open tool', tool('open'), wish, 'is open'],
    ['a guarded tool (P39, P50)', tool('guarded', ['U0BEN00001']), wish, 'cannot be trusted'],
    [
      'a whole channel without approvers',
      tool('asked'),
      { ...wish, scope: 'channel' as const },
      'No approvers are named',
    ],
    [
      'a thread of another requester',
      tool('asked'),
      { ...wish, scope: 'thread' as const, requester: user('UANN') },
      'Another person began this thread',
    ],
    [
      'a thread without any request yet',
      tool('asked'),
      { ...wish, scope: 'thread' as const },
      'I have had no request in this thread yet',
    ],
    [
      'a tool that asks a person something',
      { ...tool('asked'), wants: () => ({ choices: [] }) },
      wish,
      'asks a person something',
    ],
    [
      'a tool that several decide about',
      { ...tool('asked', ['U0BEN00001']), quorum: 2 },
      wish,
      'Several people decide',
    ],
    [
      'calls that a rule guards',
      tool('asked'),
      { ...wish, way: { effect: 'guarded' as const, by: 'Freeze', rule: { approvers: [], selfApproval: true } } },
      'By the rule “Freeze”',
    ],
    [
      'a thread of another person, where each requester decides',
      { ...tool('asked', ['requester']), selfApproval: true },
      { ...wish, scope: 'thread' as const, requester: user('UANN') },
      'Only the approvers of deploy',
    ],
    ['a tool with approvers, by another person', tool('asked', ['U0BEN00001']), wish, 'Only the approvers of deploy'],
  ])('is refused for %s', (_what, subject, facts_, words) => {
    expect(whyNotTrusted(subject, facts_)).toContain(words);
  });

  it('is taken from any person for that person in that person’s thread, and from an approver anywhere', () => {
    expect(whyNotTrusted(tool('asked'), wish)).toBeUndefined();
    expect(whyNotTrusted(tool('asked'), { ...wish, scope: 'thread', requester: user('UZOE') })).toBeUndefined();
    const own = { ...tool('asked', ['requester']), selfApproval: true };
    expect(whyNotTrusted(own, wish)).toBeUndefined();
    expect(whyNotTrusted(own, { ...wish, scope: 'thread', requester: user('UZOE') })).toBeUndefined();
    const approver = person('U0BEN00001');
    // A second person is needed, so the requester may not trust the calls of the requester.
    const foursome = { ...tool('asked', ['U0BEN00001']), selfApproval: false };
    expect(whyNotTrusted(foursome, { ...wish, by: approver })).toContain('your own calls');
    const inThread = { ...wish, by: approver, scope: 'thread' } as const;
    expect(whyNotTrusted(foursome, { ...inThread, requester: approver.user })).toContain('your own calls');
    expect(whyNotTrusted(foursome, { ...inThread, requester: user('UANN') })).toBeUndefined();
    const inChannel = { ...wish, by: approver, scope: 'channel' } as const;
    expect(whyNotTrusted(foursome, inChannel)).toBeUndefined();
    expect(whyNotTrusted(foursome, { ...inChannel, requester: approver.user })).toBeUndefined();
    expect(whyNotTrusted(tool('asked', ['U0BEN00001']), { ...wish, by: approver, scope: 'channel' })).toBeUndefined();
  });
});

describe('an offer by fields', () => {
  const CALL = { service: 'mail', count: 2, note: 'x' };
  const preset = { match: 'fields', fields: ['service', 'count'], scope: 'thread', forMs: HOUR_MS, uses: 3 } as const;

  it('says the required value of each field, and the number of uses (P51)', () => {
    expect(offerFor('deploy', preset, CALL, CALL)).toEqual({
      match: 'fields',
      where: { service: '"mail"', count: '2' },
      scope: 'thread',
      forMs: HOUR_MS,
      uses: 3,
      line: 'deploy with service mail and count 2 and anything else, in this thread, for 1 hour, at most 3 times',
    });
  });

  it('is missing for a call without such a field (P57)', () => {
    expect(offerFor('deploy', preset, { service: 'mail' }, {})).toBeUndefined();
    expect(offerFor('deploy', preset, 'mail', 'mail')).toBeUndefined();
    expect(offerFor('deploy', DEFAULT_TRUST, 'mail', 'mail')).toBeDefined();
  });
});
