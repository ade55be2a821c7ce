import { describe, expect, it } from 'vitest';
import {
  createAppState,
  HumanInTheLoop,
  type Json,
  listTrust,
  revokeAllTrust,
  type TrustTerms,
} from '../../../interventions/index.ts';
import { call, loop, scriptedModel, witness } from '../../support/scripted-model.ts';

type Use = readonly [tool: string, input?: Json];

/** Calls one after the other, of which the first is always trusted: which of them were asked about? */
async function askedAbout(enableTrust: TrustTerms, uses: readonly Use[]): Promise<readonly string[]> {
  const asked: string[] = [];
  const gate = new HumanInTheLoop({
    enableTrust,
    ask: (_prompt, { toolUse }) => {
      asked.push(toolUse.toolUseId);
      return 't';
    },
  });
  const turns = uses.map(([tool, input = {}], index) => [call(tool, input, String(index + 1))]);
  await loop({
    model: scriptedModel(...turns, 'Done.'),
    tools: [witness('t'), witness('u')],
    interventions: [gate],
  });
  return asked;
}

describe('trust', () => {
  it('has no limit of uses unless the terms name one (BEY-21)', async () => {
    expect(await askedAbout({}, [['t'], ['t'], ['t'], ['t']])).toEqual(['1']);
  });

  it('is used up after as many calls as it was given for (BEY-21)', async () => {
    expect(await askedAbout({ maxUses: 2 }, [['t'], ['t'], ['t'], ['t']])).toEqual(['1', '4']);
  });

  it('in one tool is unchanged when another tool is used (BEY-21)', async () => {
    expect(await askedAbout({ maxUses: 1 }, [['t'], ['u'], ['u'], ['t'], ['u']])).toEqual(['1', '2', '5']);
  });

  it('for one invocation can be for one input, or for any (BEY-21)', async () => {
    const uses: readonly Use[] = [
      ['t', { a: 1 }],
      ['t', { a: 2 }],
      ['t', { a: 1 }],
    ];

    expect(await askedAbout({ scope: 'invocation', input: 'exact' }, uses)).toEqual(['1', '2']);
    expect(await askedAbout({ scope: 'invocation' }, uses)).toEqual(['1']);
  });

  it('covers the calls of one agent where the conversation has no name (BEY-21, P19b)', async () => {
    const asked: string[] = [];
    const appState = createAppState();
    for (const id of ['a', 'b', 'a', 'b']) {
      const ask = () => {
        asked.push(id);
        return 't';
      };
      await loop({
        model: scriptedModel([call('t')], 'Done.'),
        tools: [witness('t')],
        agent: { id, appState },
        interventions: [new HumanInTheLoop({ enableTrust: true, ask })],
      });
    }

    expect(asked).toEqual(['a', 'b']);
  });

  it.each(['session', 'conversation'] as const)('for one %s ends when all trust is revoked (BEY-21)', async (scope) => {
    const appState = createAppState();
    let asked = 0;
    for (const revokes of [false, true, false]) {
      if (revokes) revokeAllTrust(appState);
      const ask = () => {
        asked += 1;
        return 't';
      };
      await loop({
        model: scriptedModel([call('t')], 'Done.'),
        tools: [witness('t')],
        agent: { id: 'a', appState },
        interventions: [new HumanInTheLoop({ enableTrust: { scope }, ask })],
      });
    }

    expect(asked).toBe(2);
  });

  it('names who gave it, apart from whose calls it covers (BEY-21, P44)', async () => {
    const appState = createAppState();
    const ask = () => ({ decision: 'trust', approver: 'BEN' });
    await loop({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [witness('t')],
      agent: { id: 'a', appState },
      invocationState: { requester: 'ANN' },
      interventions: [new HumanInTheLoop({ enableTrust: true, ask })],
    });

    expect(listTrust(appState)).toMatchObject([{ requester: 'ANN', givenBy: 'BEN' }]);
  });

  it('covers the calls of one requester, also where requesters are numbers (BEY-21)', async () => {
    const asked: unknown[] = [];
    const appState = createAppState();
    for (const requester of [1, 2, 1, 2]) {
      const ask = () => {
        asked.push(requester);
        return 't';
      };
      await loop({
        model: scriptedModel([call('t')], 'Done.'),
        tools: [witness('t')],
        agent: { id: 'a', appState },
        invocationState: { requester },
        interventions: [new HumanInTheLoop({ enableTrust: true, ask })],
      });
    }

    expect(asked).toEqual([1, 2]);
  });

  it.each<[string, Json]>([
    ['no list', 'trust me'],
    ['nothing', [null]],
    ['words', ['t']],
    ['a tool without a place', [{ tool: 't', policyVersion: '' }]],
    ['a place without a tool', [{ place: '"agent"', policyVersion: '' }]],
    ['no policy', [{ tool: 't', place: '"agent"' }]],
  ])('is not any other value in its place: %s (BEY-21)', (_what, stored) => {
    expect(listTrust(createAppState({ 'hitl:trust': stored }))).toEqual([]);
  });
});
