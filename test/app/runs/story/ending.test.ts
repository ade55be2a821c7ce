import { describe, expect, it } from 'vitest';
import { ModelError } from '../../../../app/agent/model/error.ts';
import { endingAfter } from '../../../../app/runs/story/ending.ts';
import { TakenOverError } from '../../../../app/runs/story/taken-over.ts';
import { WORDS } from '../../../../app/runs/telling/words.ts';
import { HandlerFailureError } from '../../../../interventions/index.ts';

const inHandler = (cause: Error) =>
  new HandlerFailureError('The gate failed.', { handler: 'gate', event: 'beforeToolCall', cause });

describe('the ending of a run', () => {
  it.each([
    ['another process goes on with it', new TakenOverError('a test says so')],
    ['the model failed', new ModelError('server')],
  ])('is told by its cause when %s and a handler passed the news on (REF-16, BEY-40)', async (_what, cause) => {
    const direct = await endingAfter(cause, async () => true);

    expect(direct).toMatchObject({ type: 'failed', error: cause });
    expect(await endingAfter(inHandler(cause), async () => true)).toEqual(direct);
  });

  it('is told in general words when the causes of a failure go round in a circle', async () => {
    const failure = new Error('It has itself as its cause.');
    failure.cause = failure;

    expect(await endingAfter(failure, async () => true)).toMatchObject({ type: 'failed', words: WORDS.failed });
  });
});
