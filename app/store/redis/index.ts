export { nameOf, readRedisUrl } from './address.ts';
export { connectForQueue } from './connection/clients.ts';
export { refusalOf } from './connection/link.ts';
export { createRedisStore } from './store.ts';
