import { describe, expect, it, vi } from 'vitest';
import { createWaits } from '../../../../app/runs/asking/waits.ts';
import { createHold } from '../../../../app/runs/story/hold.ts';
import { TakenOverError } from '../../../../app/runs/story/taken-over.ts';
import { fold, started } from '../../../support/journal.ts';

function waiting({ resumes = true }: { readonly resumes?: boolean } = {}) {
  const shown: string[] = [];
  const hold = createHold(
    () => 0,
    async () => resumes,
  );
  const surface = { status: async (_: unknown, status: string) => void shown.push(status) };
  let state = fold(started);
  const journal = { state: () => state };
  const waits = createWaits({ hold, surface, writing: { rest: async () => () => {} } }, journal);
  const ends = () => {
    state = fold(started, { type: 'run-stopped', cause: 'A person stopped it.' });
  };
  return { shown, hold, waits, ends };
}

const untilLetGo = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

describe('a run that waits for people', () => {
  it('shows that a person is needed, and that the agent works when the person has answered (P29)', async () => {
    const { waits, shown } = waiting();
    expect(await waits(async () => 'yes')).toBe('yes');
    expect(shown).toEqual(['suspended', 'processing']);
  });

  it('sets no status when another process goes on with the answer (P29)', async () => {
    const { waits, shown } = waiting({ resumes: false });
    await expect(waits(async () => 'yes')).rejects.toBeInstanceOf(TakenOverError);
    expect(shown).toEqual(['suspended']);
  });

  it('does not say that the agent works when another process had the answer as well, and has ended the run (P29)', async () => {
    const { waits, shown, ends } = waiting();
    await waits(async () => ends());
    expect(shown).toEqual(['suspended']);
  });

  it('keeps showing that a person is needed after it gave its memory back (P29)', async () => {
    const { waits, shown, hold } = waiting();
    const answer = waits(() => untilLetGo(hold.signal));
    await vi.waitFor(() => expect(shown).toEqual(['suspended']));
    hold.letGo('parked');
    await expect(answer).rejects.toBe('parked');
    expect(shown).toEqual(['suspended']);
  });

  it('sets no status when its process released it before the answer came (P29)', async () => {
    const { waits, shown, hold } = waiting();
    let give = () => {};
    const answer = waits(() => new Promise<void>((resolve) => (give = resolve)));
    await vi.waitFor(() => expect(shown).toEqual(['suspended']));
    hold.letGo('cancelled');
    give();
    await answer;
    expect(shown).toEqual(['suspended']);
  });

  it('does not show that a person is needed when its process released it before (P29)', async () => {
    const { waits, shown, hold } = waiting();
    hold.letGo('cancelled');
    await waits(async () => {});
    expect(shown).toEqual([]);
  });

  it('shows once that people are needed for several calls, and that the agent works after the last answer (P29)', async () => {
    const { waits, shown } = waiting();
    let second = () => {};
    const slow = waits(() => new Promise<void>((resolve) => (second = resolve)));
    await waits(async () => {});
    expect(shown).toEqual(['suspended']);
    second();
    await slow;
    expect(shown).toEqual(['suspended', 'processing']);
  });
});
