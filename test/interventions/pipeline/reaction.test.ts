import { describe, expect, it } from 'vitest';
import { type HandlerReaction, strongestReaction } from '../../../interventions/index.ts';

const says = (text: string): HandlerReaction => ({ handler: text, reaction: { type: 'endTurn', text } });
const stops: HandlerReaction = { handler: 'stops', reaction: { type: 'stop' } };

describe('among several reactions', () => {
  it('the strictest one wins, and among equals the first (BEY-42)', () => {
    expect(strongestReaction([says('one'), says('two'), stops])).toBe(stops);
    expect(strongestReaction([says('one'), says('two')])).toEqual(says('one'));
    expect(strongestReaction([])).toBeUndefined();
  });
});
