import { isDeepStrictEqual } from 'node:util';
import { decideExpiry, decidePress, decideStop } from '../../app/journal/decide/decide.ts';
import type { Entry } from '../../app/journal/facts/entries.ts';
import { evolve } from '../../app/journal/fold/evolve.ts';
import type { RunState } from '../../app/journal/fold/state.ts';
import { owedPaintings, owedQuestions } from '../../app/journal/owed/cards.ts';
import { owedCopies } from '../../app/journal/owed/copies.ts';
import { owedPosts } from '../../app/runs/telling/posts.ts';

/**
 * What a journal says, entry by entry, to people who read it: only what is different from the line before. Two versions of
 * the bot that mean the same by it write the same here, however they keep it in memory.
 */
export function meaningOf(entries: readonly Entry[]): string {
  let state: RunState | undefined;
  let before: ReadonlyMap<string, string> = new Map();
  const lines = entries.flatMap((entry, at) => {
    state = evolve(state, entry);
    const now = factsOf(state);
    const gone = [...before.keys()].filter((name) => !now.has(name)).map((name) => `  ${name}: gone`);
    const news = [...now]
      .filter(([name, what]) => before.get(name) !== what)
      .map(([name, what]) => `  ${name}: ${what}`);
    before = now;
    return [`${at + 1} ${entry.type}`, ...news, ...gone];
  });
  return `${lines.join('\n')}\n`;
}

function factsOf(state: RunState): ReadonlyMap<string, string> {
  const { status, calls, approvals, questions, posted, said, items, tokens } = state;
  const list = (of: Iterable<string>) => [...of].join(', ') || 'nothing';
  const facts: readonly (readonly [string, string])[] = [
    ['run', status.type],
    ['said', `${said.length} things in ${items} items`],
    ['used', `${tokens.input} tokens in, ${tokens.output} out, in ${state.turns} turns`],
    ['told', list(posted.keys())],
    ['owes the thread', list(owedPosts(state).map(({ key }) => key))],
    ['owes paintings', list([...owedPaintings(state), ...owedQuestions(state)].map(({ id }) => id))],
    ['owes copies', list(owedCopies(state).map(({ id }) => id))],
    ['a stop writes', list(decideStop(state, { cause: 'Stop' }).entries.map(({ type }) => type))],
    ...[...calls].map(([key, { execution, answer }]) => {
      const by = execution.type === 'none' ? '' : ` (${execution.grant.type})`;
      return [
        `call ${key}`,
        `${execution.type}${by}${answer === undefined ? '' : `, told in item ${answer}`}`,
      ] as const;
    }),
    ...[...approvals.values()].flatMap(({ id, standing, expiresAtMs, yeses, card }) => {
      const verdict = standing.status === 'decided' ? ` ${standing.decision.verdict}` : '';
      const press = {
        approval: id,
        verdict: 'approve',
        drawn: true,
        confirmed: true,
        refusedPressesKept: 100,
      } as const;
      const by = { by: state.requester, right: { type: 'allowed' }, ...(card === undefined ? {} : { card }) } as const;
      return [
        [`approval ${id}`, `${standing.status}${verdict}, ${yeses.length} yeses`],
        [`a yes to ${id}`, decidePress(state, { ...press, ...by }).result],
        [`the end of ${id}`, decideExpiry(state, id, expiresAtMs).result],
      ] as const;
    }),
    ...[...questions.values()].map(({ kind, id, standing }) => [`${kind} ${id}`, standing.status] as const),
  ];
  return new Map(facts);
}

export function foldEntries(entries: readonly Entry[]): RunState {
  const state = entries.reduce<RunState | undefined>((before, entry) => evolve(before, entry), undefined);
  if (state === undefined) throw new Error('A journal has no entries.');
  return state;
}

/** Does what was decided now stand where it was written then? */
export function standsAt(entries: readonly Entry[], at: number, decided: readonly object[]): boolean {
  const written = entries.slice(at, at + decided.length).map(({ id: _, atMs: __, ...body }) => body);
  return decided.length > 0 && isDeepStrictEqual(plain(written), plain(decided));
}

/** As it would be stored. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
