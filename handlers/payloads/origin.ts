import { z } from 'zod';
import type { BotPayload } from './bot.ts';
import { readApprovalId } from './press.ts';

/** Reads which workspace a delivery is for, as far as Slack says so. */

const Team = z.object({ id: z.string(), enterprise_id: z.string().nullish() }).nullish();
const Origin = z.object({
  authorizations: z
    .array(
      z.object({
        team_id: z.string().nullish(),
        enterprise_id: z.string().nullish(),
        is_enterprise_install: z.boolean().nullish(),
      }),
    )
    .nullish(),
  team_id: z.string().nullish(),
  enterprise_id: z.string().nullish(),
  is_enterprise_install: z.union([z.boolean(), z.string().transform((text) => text === 'true')]).nullish(),
  team: Team,
  enterprise: z.object({ id: z.string() }).nullish(),
  view: z.object({ app_installed_team_id: z.string().nullish() }).nullish(),
  actions: z
    .array(z.object({ value: z.string().nullish(), selected_option: z.object({ value: z.string() }).nullish() }))
    .nullish(),
});

/**
 * The ids under which the app may be installed, the likeliest first: a workspace, or the organisation it belongs to. The
 * team of the person is left out, because a guest may come from a company that has the app as well.
 */
export function readTeams(body: unknown): readonly string[] {
  const origin = Origin.safeParse(body).data;
  if (origin === undefined) return [];
  const { view, team, enterprise } = origin;
  const organisation = enterprise?.id ?? team?.enterprise_id ?? origin.enterprise_id;
  const teams = [
    ...installationsIn(origin),
    view?.app_installed_team_id,
    origin.is_enterprise_install ? organisation : undefined,
    team?.id,
    origin.team_id,
    organisation,
  ];
  return [...new Set(teams.filter((id) => id != null))];
}

/**
 * The ids that a report of a removal may mean. Where it names installations it means no other: a workspace may lose the app, and
 * its organisation keep it.
 */
export function readRemoved(body: unknown): readonly string[] {
  const named = installationsIn(Origin.safeParse(body).data ?? {}).filter((id) => id != null);
  return named.length > 0 ? named : readTeams(body);
}

function installationsIn({ authorizations }: Pick<z.infer<typeof Origin>, 'authorizations'>) {
  return (authorizations ?? []).map((one) => (one.is_enterprise_install ? one.enterprise_id : one.team_id));
}

/** In an organisation, the workspace in which something was done. A delivery may also name one of another company. */
export function readWorkspace(body: unknown, bot: BotPayload): { readonly workspace?: string } {
  const origin = Origin.safeParse(body).data;
  if (bot.isOrganisation !== true || origin === undefined) return {};
  const ours = origin.authorizations?.find(({ enterprise_id }) => enterprise_id === bot.team_id);
  const workspace = [ours?.team_id, origin.team?.id, origin.team_id].find((id) => id?.startsWith('T') === true);
  return workspace == null ? {} : { workspace };
}

/**
 * The approval that a button names. The team beside it is ignored: in a channel that companies share, it may be the
 * presser's own.
 */
export function readSubject(body: unknown): ReturnType<typeof readApprovalId> {
  const action = Origin.safeParse(body).data?.actions?.[0];
  const value = action?.selected_option?.value ?? action?.value ?? '';
  return readApprovalId(value.split(' ').at(-1) ?? '');
}

const Left = z.object({
  event: z.discriminatedUnion('type', [
    z.object({ type: z.literal('app_uninstalled') }),
    z.object({ type: z.literal('tokens_revoked'), tokens: z.object({ bot: z.array(z.string()).nullish() }) }),
  ]),
});

/** Reads that the app was removed or lost its bot token. A person who revokes a token of their own does neither. */
export function readLeft(body: unknown): 'app_uninstalled' | 'tokens_revoked' | undefined {
  const event = Left.safeParse(body).data?.event;
  if (event?.type === 'tokens_revoked' && (event.tokens.bot ?? []).length === 0) return undefined;
  return event?.type;
}

/** When the event happened, in seconds. A repeated delivery says the same. */
export function readToldAt(body: unknown): number | undefined {
  return z.object({ event_time: z.number() }).safeParse(body).data?.event_time;
}
