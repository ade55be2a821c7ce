export { PRESSES, type PressesDeps } from './deliveries.ts';
