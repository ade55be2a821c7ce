import { expect, it } from 'vitest';
import { type BeforeToolCallEvent, HumanInTheLoop } from '../../../interventions/index.ts';
import { callEvent, eventContext } from '../../support/event.ts';

/** What a gate without an agent says of calls of the tool `t` in one invocation, which a person refuses where they are asked. */
async function refusing(inputs: readonly number[], change: (event: BeforeToolCallEvent) => void = () => {}) {
  const gate = new HumanInTheLoop({ refusalsPerTool: 2 });
  const { signal } = eventContext();
  const judge = async (a: number, replace = change): Promise<string> => {
    const toolUse = { type: 'toolUse', toolUseId: `t-${a}`, name: 't', input: { a } } as const;
    const event = callEvent({ toolUse }, { signal });
    replace(event);
    const action = await gate.beforeToolCall(event);
    if (action.type === 'confirm') action.settle?.('n', { approvals: [] });
    return action.type === 'deny' ? action.reason : action.type;
  };
  const said: string[] = [];
  for (const input of inputs) said.push(await judge(input));
  return { said, judge };
}

it('a gate that observes no agent remembers what people refused in an invocation (BEY-24)', async () => {
  const { said } = await refusing([1, 1, 2, 3]);

  expect(said).toEqual([
    'confirm',
    'This same call was refused before, so people were not asked again.',
    'confirm',
    '"t" was refused 2 times, so it is closed for now.',
  ]);
});

it('refusals close the tool that would have run, where a callback has put another in its place (BEY-22, BEY-24)', async () => {
  const { said, judge } = await refusing([1, 2, 3], (event) => {
    event.selectedTool = { name: 'other' };
  });

  expect(said).toEqual(['confirm', 'confirm', '"other" was refused 2 times, so it is closed for now.']);
  expect(await judge(4, () => {})).toBe('confirm');
});
