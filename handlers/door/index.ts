export { createBoltApp } from './bolt-app.ts';
export { createDoor, type Door } from './door.ts';
export { healthRoutes, type Phase } from './health.ts';
export { installRoutes } from './install.ts';
export { createReceiver, type Route, type SlackSettings, within } from './receiver.ts';
export { register } from './register.ts';
