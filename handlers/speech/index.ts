export { SPEECH, type SpeechDeps } from './deliveries.ts';
