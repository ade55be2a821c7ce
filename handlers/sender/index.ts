export { callSlack } from './call.ts';
export {
  closedFor,
  isPassing,
  isRateLimited,
  isSlackError,
  mayHaveArrived,
  refusedFor,
} from './errors.ts';
export { DIRECT } from './rates.ts';
export { createSender, type Sender } from './sender.ts';
