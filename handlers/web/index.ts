export { createWebDoor, type SignOn } from './door.ts';
export { createLinks, type Links } from './links.ts';
export { PAGE_HEADERS } from './page.ts';
