import { atOnce } from '../../app/time/index.ts';
import { inputModalInSteps } from '../../handlers/views/forms/input-modal.ts';
import { replyInSteps } from '../../handlers/views/reply/reply.ts';
import { questionPageInSteps } from '../../handlers/web/page.ts';

/** Views that the bot draws in steps, drawn without a turn for other work. */

export const inputModal = (...about: Parameters<typeof inputModalInSteps>) => atOnce(inputModalInSteps(...about));

export const replyMessages = (...about: Parameters<typeof replyInSteps>) => atOnce(replyInSteps(...about));

/** The page for a decision outside of Slack. */
export const questionPage = (...about: Parameters<typeof questionPageInSteps>) => atOnce(questionPageInSteps(...about));
