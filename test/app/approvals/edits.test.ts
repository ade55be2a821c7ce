import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkEdit } from '../../../app/approvals/edits.ts';
import { decideAsk } from '../../../app/journal/decide/ask.ts';
import { decidePress } from '../../../app/journal/decide/decide.ts';
import { decideStart, type Start } from '../../../app/journal/decide/start.ts';
import { toApproval } from '../../../app/journal/fold/queries/view.ts';
import { digestText } from '../../../app/runs/gate/granted-call.ts';
import { createRedaction } from '../../../app/secrets/redaction.ts';
import { defineTool, definitionHash, toolTable } from '../../../app/tools/index.ts';
import { canonical, canonicalCall } from '../../../interventions/index.ts';
import {
  approvalId,
  ask,
  asked,
  fold,
  foldOnto,
  grantId,
  OWN_RULE,
  pressed,
  started,
  turn,
} from '../../support/journal.ts';

const deploy = defineTool({
  name: 'deploy',
  description: 'Deploys.',
  input: z.object({
    service: z.string(),
    replicas: z.number().default(1),
    labels: z.record(z.string(), z.json()).optional(),
  }),
  summarise: ({ service, replicas }) => `Deploy ${service} ${replicas} times.`,
  run: () => 'done',
});
const tools = toolTable([deploy]);
const redaction = createRedaction({ settings: { keys: [], patterns: [] }, key: Buffer.alloc(32) });
const about = { tool: 'deploy', definition: definitionHash(deploy) };
const before = '{"replicas":1,"service":"mail"}';
const deps = { tools, digest: digestText, redaction, failed: () => () => {} };
const check = (typed: string) => checkEdit(deps, about, before, typed);

describe('an edited input', () => {
  it('is stored as the tool parses it, with the digest of exactly that', async () => {
    expect(await check(' { "service": "search" } ')).toEqual({
      type: 'fits',
      input: '{"replicas":1,"service":"search"}',
      digest: digestText(canonicalCall({ name: 'deploy', input: { service: 'search', replicas: 1 } })),
      summary: 'Deploy search 1 times.',
    });
  });

  it.each([
    ['is not JSON', '{service: mail}', /^This is not JSON: (Une|E)xpected/],
    ['is empty', '', /^This is not JSON/],
    ['does not fit the tool', '{"service":7}', /does not take this: service/],
    ['has a name that the tool does not know', '{"service":"a","force":true}', /does not take this/],
    ['is what was asked', '{"service":"mail"}', /^Nothing is changed/],
    ['names something twice', '{"service":"a","service":"b"}', /stands there twice/],
    ['names something twice, written in two ways', '{"service":"a","\\u0073ervice":"b"}', /stands there twice/],
    ['holds a name that would be lost', '{"service":"a","labels":{"__proto__":[]}}', /would be lost/],
    [
      'holds more digits than a number keeps',
      '{"service":"a","replicas":12345678901234567890}',
      /cannot be kept exactly/,
    ],
    [
      'holds a fraction finer than a number keeps',
      '{"service":"a","replicas":0.12345678901234567}',
      /cannot be kept exactly/,
    ],
    [
      'holds a number so near to zero that it would become zero',
      '{"service":"a","replicas":1e-400}',
      /cannot be kept exactly/,
    ],
    [
      'holds a number near to zero that would lose digits',
      '{"service":"a","replicas":1.23456789e-320}',
      /cannot be kept exactly/,
    ],
    ['holds a number beyond all', '{"service":"a","replicas":1e999}', /cannot be kept exactly/],
  ])('is not taken when it %s', async (_what, typed, problem) => {
    expect(await check(typed)).toEqual({ type: 'unfit', problem: expect.stringMatching(problem) });
  });

  it.each([
    '0.25',
    '-0.5e1',
    '1.50',
    '0.0',
    '1E+2',
    '5e-324',
    '0e-999',
    '0.000000000123456789012345',
    '123456.789012345',
  ])('is taken when it holds the number %s, whose digits are all kept', async (replicas) => {
    expect(await check(`{"service":"a","replicas":${replicas}}`)).toMatchObject({
      input: canonical({ service: 'a', replicas: Number(replicas) }),
    });
  });

  it('is refused when the tool has changed since the question was asked', async () => {
    const old = { tool: 'deploy', definition: 'of last week' };

    expect(await checkEdit(deps, old, before, '{"service":"a"}')).toMatchObject({ type: 'unfit' });
    expect(await checkEdit(deps, { ...old, tool: 'gone' }, before, '{}')).toMatchObject({ type: 'unfit' });
  });

  it('keeps every letter of any JSON that the tool takes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), async (labels) => {
        fc.pre(/^\{/.test(labels));
        const read = await check(`{"service":"a","replicas":2,"labels":${labels}}`);
        fc.pre(read.type === 'fits');
        expect(read.type === 'fits' && read.input).toBe(
          canonical({ service: 'a', replicas: 2, labels: JSON.parse(labels) }),
        );
      }),
    );
  });
});

describe('a decision with an edit', () => {
  const waiting = fold(started, turn(1, 'a'), asked());
  const edit = { input: { text: '{"n":2}' }, digest: 'd2', summary: 'Deploy twice.' };
  const decided = decidePress(waiting, pressed({ edit }));
  const edited = foldOnto(waiting, ...decided.entries);
  const start = (digest: string): Start => ({
    call: '1/a',
    attempt: 't1',
    tool: 'deploy',
    effect: 'asked',
    rule: OWN_RULE,
    definition: 'v1',
    digest,
    grant: { type: 'approval', approval: approvalId() },
  });

  it('lets exactly the edited bytes start, and no longer the original ones', () => {
    expect(decideStart(edited, start('d2')).result).toEqual({ type: 'start' });
    expect(decideStart(edited, start('d1')).result).toEqual({ type: 'refused', why: 'it is not what was shown' });
    expect(decideStart(edited, start('d3')).result).toMatchObject({ type: 'refused' });
  });

  it('is found again when the edited call is asked about, so that no second card is made', () => {
    for (const digest of ['d1', 'd2']) {
      const again = decideAsk(edited, ask({ approval: approvalId(2), digest }));
      expect(again).toEqual({ entries: [], result: { type: 'asked', approval: approvalId(), fresh: false } });
    }
    expect(decideAsk(edited, ask({ approval: approvalId(2), digest: 'd3' })).result).toMatchObject({ fresh: true });
  });

  it('keeps the original and the edited version', () => {
    const approval = edited.approvals.get(approvalId());
    expect(approval === undefined ? undefined : toApproval(edited, approval, () => undefined)).toMatchObject({
      status: 'approved',
      input: '{}',
      digest: 'd1',
      decision: { verdict: 'approve', edit: { input: '{"n":2}', digest: 'd2', summary: 'Deploy twice.' } },
    });
  });

  it('counts a long input among the items of the run', () => {
    const long = decidePress(waiting, pressed({ edit: { ...edit, input: { at: waiting.items } } }));

    expect(foldOnto(waiting, ...long.entries).items).toBe(waiting.items + 1);
  });

  it.each(['deny', 'trust'] as const)('is refused together with %s', (verdict) => {
    expect(decidePress(waiting, pressed({ verdict, edit })).result).toBe('not-offered');
  });
});

describe('a trust on other terms', () => {
  const waiting = fold(started, turn(1, 'a'), asked());
  const trust = { line: 'deploy, only so', match: 'exact', scope: 'thread', forMs: 1_000 } as const;
  const given = decidePress(waiting, pressed({ verdict: 'trust', grant: grantId(), trust }));

  it('is drawn and granted with its own line, not with the card’s (P51, P52)', () => {
    const state = foldOnto(waiting, ...given.entries);
    const approval = state.approvals.get(approvalId());

    expect(approval === undefined ? undefined : toApproval(state, approval, () => undefined)).toMatchObject({
      status: 'trusted',
      trust,
      decision: { verdict: 'trust', trust },
    });
  });

  it('never covers a guarded tool, and comes with no other verdict (P39)', () => {
    const guarded = fold(started, turn(1, 'a'), asked({ effect: 'guarded' }));

    expect(decidePress(guarded, pressed({ verdict: 'trust', grant: grantId(), trust })).result).toBe('not-offered');
    expect(decidePress(waiting, pressed({ verdict: 'approve', trust })).result).toBe('not-offered');
  });
});
