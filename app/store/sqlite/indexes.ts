import { RunId } from '../../records/index.ts';
import { dueWord, readDueWord } from '../due.ts';
import type { Store } from '../store.ts';
import type { OpenDatabase } from './database.ts';
import { count, text } from './statements.ts';

/** The lists that an append changes together with its entries. */
export function indexes({
  statements,
  write,
}: OpenDatabase): Pick<Store, 'findApproval' | 'members' | 'takePlace' | 'leaveLists'> {
  return {
    findApproval: async (approval) => {
      const row = statements.runOfApproval.get(approval);
      return row === undefined ? undefined : RunId.parse(text(row, 'run'));
    },
    members: async ({ what, of }, most = -1) =>
      statements.members.all(what, of, most).map((row) => text(row, 'member')),

    takePlace: async ({ index: { what, of }, member, most }) =>
      write(() => {
        if (statements.isMember.get(what, of, member) !== undefined) return true;
        if (count(statements.memberCount.get(what, of)) >= most) return false;
        statements.addMember.run(what, of, member);
        return true;
      }),

    leaveLists: async (members) =>
      write(() => {
        for (const { index, member } of members) statements.removeMember.run(index.what, index.of, member);
      }),
  };
}

/** The items that become due. */
export function due({ statements, write, clock }: OpenDatabase): Pick<Store, 'claimDue' | 'moveDue'> {
  return {
    claimDue: async ({ limit, leaseMs }) =>
      write(() => {
        const nowMs = clock.now();
        const words = statements.dueNow.all(nowMs, limit).map((row) => text(row, 'word'));
        for (const word of words) statements.moveDue.run(nowMs + leaseMs, word);
        return words.flatMap((word) => readDueWord(word) ?? []);
      }),

    moveDue: async (item, inMs) => {
      const word = dueWord(item);
      write(() =>
        inMs === 'never' ? statements.removeDue.run(word) : statements.moveDue.run(clock.now() + inMs, word),
      );
    },
  };
}
