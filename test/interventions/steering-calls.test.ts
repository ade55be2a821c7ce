import { expect, it } from 'vitest';
import {
  createAppState,
  deny,
  guide,
  ModelSteeringHandler,
  SteeringHandler,
  steer,
} from '../../interventions/index.ts';
import { callEvent } from '../support/event.ts';

it('steering judges the tool that would run, where a callback has put another in its place (BEY-22)', async () => {
  const judged: string[] = [];
  class Watches extends SteeringHandler {
    override steerBeforeTool({ toolUse }: { readonly toolUse: { readonly name: string } }) {
      judged.push(toolUse.name);
      return steer.proceed('seen');
    }
  }
  const event = callEvent();
  event.selectedTool = { name: 'other' };
  await new Watches().beforeToolCall(event);

  expect(judged).toEqual(['other']);
});

it('a model that steers judges each input once (BEY-30, BEY-31)', async () => {
  let asked = 0;
  const model = async () => {
    asked += 1;
    return { decision: asked === 1 ? 'proceed' : 'interrupt', reason: 'so' };
  };
  const handler = new ModelSteeringHandler({ systemPrompt: 'Be careful.', model });
  const event = callEvent();
  const kinds: string[] = [];
  for (const input of [{}, {}, { to: 'production' }]) {
    event.toolUse.input = input;
    kinds.push((await handler.beforeToolCall(event)).type);
  }

  expect([kinds, asked]).toEqual([['proceed', 'proceed', 'confirm'], 2]);
});

it('a model that steers judges each try of a call, as each has other questions (BEY-30)', async () => {
  let asked = 0;
  const model = async () => ({ decision: ++asked === 1 ? 'proceed' : 'interrupt', reason: 'so' });
  const handler = new ModelSteeringHandler({ systemPrompt: 'Be careful.', model });
  const agent = { id: 'a', appState: createAppState(), messages: [] };
  const kinds: string[] = [];
  for (const attempt of [1, 2]) kinds.push((await handler.beforeToolCall(callEvent({ attempt }, { agent }))).type);

  expect(kinds).toEqual(['proceed', 'confirm']);
});

it('an action cannot have blanks in place of the words that the model reads', () => {
  expect(() => deny(' ')).toThrow('deny() needs a text as its reason');
  expect(() => guide('\n')).toThrow('guide() needs a text as its feedback');
});
