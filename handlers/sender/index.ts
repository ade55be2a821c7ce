export { callSlack } from './call.ts';
export {
  isRateLimited,
  isSlackError,
  mayHaveArrived,
  refusalIn,
} from './errors.ts';
export { DIRECT, forMessage, untilAborted } from './rates.ts';
export { createSender, type Sender } from './sender.ts';
