import { expect, it } from 'vitest';
import { lookAtApprovers } from '../../../../app/authority/approvers/named.ts';
import type { Account } from '../../../../app/authority/people.ts';

it.each([[['T1', 'T2']], [['T2', 'T1']]])(
  'an approver who decides in no workspace is named with what the workspace that knows them says: asked in the order %j (SURF-2)',
  async (teams) => {
    const people = {
      account: async ({ team }: { readonly team: string }): Promise<Account> =>
        team === 'T1' ? 'missing' : 'deactivated',
      members: async () => undefined,
    };
    const named = () => new Map([['The policy of deploy', ['UBEN']]]);

    expect(await lookAtApprovers({ people, named }, teams)).toEqual([
      'The policy of deploy names approvers who cannot decide: UBEN has a deactivated account. Correct the ids.',
    ]);
  },
);
