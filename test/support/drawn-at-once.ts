import { atOnce } from '../../app/time/index.ts';
import { questionPageInSteps } from '../../handlers/web/page.ts';

/** The page for a decision outside of Slack, drawn without a turn for other work. */
export const questionPage = (...about: Parameters<typeof questionPageInSteps>): string =>
  atOnce(questionPageInSteps(...about));
