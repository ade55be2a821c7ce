import { isGroup, type Person, UserId } from '../records/index.ts';
import type { AuthorityContext } from './context.ts';

/** The groups of rules and tools that this person is in; none for a person who is not a full member. */
export async function groupsOf(
  { rules, tools, people }: Pick<AuthorityContext, 'rules' | 'tools' | 'people'>,
  person: Person,
): Promise<readonly UserId[]> {
  const deciding = [...rules, ...tools.all].flatMap(({ approvers = [], stages = [] }) => [
    ...approvers,
    ...stages.flatMap((stage) => stage.approvers),
  ]);
  const groups = [...new Set(deciding.filter(isGroup))].map((group) => UserId.parse(group));
  if (groups.length === 0 || (await people.account(person)) !== 'person') return [];
  const isIn = await Promise.all(groups.map((group) => people.isInGroup(person, group)));
  return groups.filter((_, at) => isIn[at]);
}
