export { closedFor, isDoubtful, isPassing, isRateLimited, isSlackError, refusedFor } from './errors.ts';
export { DIRECT } from './rates.ts';
export { createSender, type Sender } from './sender.ts';
