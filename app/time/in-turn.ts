import type { ApprovalId } from '../records/index.ts';

/** One after the other for each card, and side by side for different ones. */
export function createInTurn<Answer>(): (id: ApprovalId, work: () => Promise<Answer>) => Promise<Answer> {
  const last = new Map<ApprovalId, Promise<unknown>>();
  return (id, work) => {
    const turn = (last.get(id) ?? Promise.resolve()).then(work);
    last.set(id, turn);
    void turn.finally(() => {
      if (last.get(id) === turn) last.delete(id);
    });
    return turn;
  };
}
