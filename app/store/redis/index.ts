export { nameOf, readRedisUrl } from './address.ts';
export { connectForQueue } from './connection/clients.ts';
export { createRedisStore } from './store.ts';
