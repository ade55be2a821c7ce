import { describe, expect, it } from 'vitest';
import type { LoopView } from '../../../../app/agent/loop/options.ts';
import type { ModelFunction } from '../../../../app/agent/ports.ts';
import {
  type AfterModelCallEvent,
  createHookRegistry,
  guide,
  type Handler,
  proceed,
  ResponseDiscardedEvent,
  transform,
} from '../../../../interventions/index.ts';
import { agent } from '../../../support/agent.ts';
import { loop, scriptedModel } from '../../../support/scripted-model.ts';

/** The texts of a loop that its watcher sees. */
async function watch(interventions: readonly Handler[], model: ModelFunction, bufferText: boolean) {
  const seen: string[] = [];
  const hooks = createHookRegistry();
  hooks.addCallback(ResponseDiscardedEvent, () => void seen.push('event: discarded'));
  const onEvent = (view: LoopView) => {
    if (view.type === 'text') seen.push(view.text);
    if (view.type === 'discarded') seen.push('view: discarded');
  };
  const judging: Handler = {
    name: 'judging',
    afterModelCall: () => {
      seen.push('judged');
      return proceed();
    },
  };
  await loop({ model, hooks, onEvent, interventions: [...interventions, judging], bufferText }).catch(() => {});
  return seen;
}

const once: Handler = {
  name: 'once',
  afterModelCall: ({ attempt }) => (attempt === 1 ? guide('again') : proceed()),
};

describe('text that is held back', () => {
  it('is shown after it is accepted, and never shown when it is discarded (BEY-35)', async () => {
    const script = () => scriptedModel('Rash.', 'Better.');

    expect(await watch([once], script(), true)).toEqual(['judged', 'judged', 'Better.']);
    expect(await watch([once], script(), false)).toEqual([
      'Rash.',
      'judged',
      'view: discarded',
      'event: discarded',
      'Better.',
      'judged',
    ]);
  });

  it('is shown as an intervention changed it (BEY-35)', async () => {
    const polite = transform<AfterModelCallEvent>(({ stopData }) => {
      if (stopData !== undefined) stopData.message = { role: 'assistant', content: [{ type: 'text', text: 'Kind.' }] };
    });

    expect(await watch([{ name: 'polite', afterModelCall: () => polite }], scriptedModel('Rude.'), true)).toEqual([
      'judged',
      'Kind.',
    ]);
  });

  it('is not shown when the model call fails half way (BEY-35)', async () => {
    const broken: ModelFunction = async (_request, { onText }) => {
      onText('Half an');
      throw new Error('gone');
    };

    expect(await watch([], broken, true)).toEqual([]);
  });

  it('reaches the reader of an agent’s stream in the same way (BEY-35)', async () => {
    const shown: string[] = [];
    const one = agent({
      model: scriptedModel('Rash.', 'Better.'),
      interventions: [once],
      bufferText: true,
      callbackHandler: (item) => {
        if (item.type === 'responseDiscarded') shown.push(item.type);
        if (item.type === 'text' && 'text' in item) shown.push(item.text);
      },
    });
    await one.invoke('hello');

    expect(shown).toEqual(['Better.']);
  });
});
