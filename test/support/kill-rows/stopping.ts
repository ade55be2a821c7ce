import { witnessed } from '../bot.ts';
import { ENDS, type Row, witnessesAgree } from './row.ts';

const MUST = 'a shutdown that is cut short is a crash like any other';

/** Told to stop, a process lets what it does come to a safe point, and is killed on the way there. */
export const STOPPING: readonly Row[] = [
  ...(['tool-returned', 'call-finished'] as const).map(
    (at): Row => ({
      id: 'FK24',
      must: MUST,
      walk: {
        dieAt: [at],
        env: { EXAMPLE_TOOL_MS: '1500' },
        meanwhile: async (stage, _root, doomed) => {
          await stage.world.until(() => witnessed(stage, 'begun').length === 1);
          void doomed.stop();
        },
        ends: ENDS,
      },
      seen: (walked) => witnessesAgree(walked, { ran: 1, known: at !== 'tool-returned' }),
    }),
  ),
  // By the second piece of the answer, it knows that it is to stop.
  ...(['model-streaming:2', 'reply-grown', 'turn-answered'] as const).map(
    (at): Row => ({
      id: 'FK24',
      must: MUST,
      walk: {
        dieAt: [at],
        slowly: true,
        cutTurns: at === 'reply-grown' ? 1 : 0,
        meanwhile: async (stage, _root, doomed) => {
          await stage.world.until(() => stage.sandbox.model.requests.length === 1);
          void doomed.stop();
        },
        ends: ENDS,
      },
      seen: (walked) => witnessesAgree(walked),
    }),
  ),
];
