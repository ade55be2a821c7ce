export { createWebDoor, type SignOn } from './door.ts';
export { createLinks, type Links } from './links.ts';
export { linkPage, PAGE_HEADERS } from './page.ts';
