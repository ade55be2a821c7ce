import { expect, it } from 'vitest';
import { ModelError } from '../../../../app/agent/model/error.ts';
import type { ModelFunction } from '../../../../app/agent/ports.ts';
import type { Log } from '../../../../app/log.ts';
import { retriedModel } from '../../../../app/runs/telling/retried-model.ts';
import { runId } from '../../../support/journal.ts';

it('a model that is asked again is in the log, and what was shown of its answer is taken back', async () => {
  const said: object[] = [];
  const quiet = () => {};
  const log: Log = {
    ...{ debug: quiet, warn: quiet, error: quiet },
    info: (message, about) => void said.push({ message, ...about }),
  };
  const failure = new ModelError('overloaded', { retryAfterMs: 1 });
  let asked = 0;
  const model: ModelFunction = async (_request, { onText }) => {
    asked += 1;
    onText('It');
    if (asked === 1) throw failure;
    const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
    return {
      message: { role: 'assistant', content: [{ type: 'text', text: 'It works.' }] },
      stopReason: 'endTurn',
      usage,
    };
  };
  let takenBack = 0;
  const takeBack = () => {
    takenBack += 1;
  };

  const retried = retriedModel({ model, modelAttempts: 2, log, step: quiet }, runId(), takeBack);
  await retried({ messages: [], tools: [], system: '' }, { signal: new AbortController().signal, onText: quiet });

  expect([asked, takenBack]).toEqual([2, 1]);
  expect(said).toEqual([
    expect.objectContaining({ message: 'The model did not answer and is asked again.', run: runId(), error: failure }),
  ]);
});
