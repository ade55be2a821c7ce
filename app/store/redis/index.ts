export { connectForQueue } from './connection/clients.ts';
export { readRedisUrl } from './place.ts';
export { createRedisStore } from './store.ts';
