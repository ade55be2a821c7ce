import { z } from 'zod';

/** Who the bot is in this workspace, from `auth.test`. */
export const BotPayload = z.object({
  /** What threads carry: the organisation where the app was installed for all of it, the workspace otherwise. */
  team_id: z.string(),
  user_id: z.string(),
  bot_id: z.string().optional(),
  isOrganisation: z.boolean().optional(),
});
export type BotPayload = z.infer<typeof BotPayload>;
