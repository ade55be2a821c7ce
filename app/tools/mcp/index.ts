export { type ElicitationAnswer, type OnElicitation, schemaProblem } from './call/elicitation.ts';
export { readServersFile } from './file.ts';
export { createPins, type Pin, type Pins } from './pins.ts';
export { movePinsFile, PINS_FILE } from './pins-file.ts';
export { type CreateToolServersDeps, createToolServers, type ToolServers } from './servers.ts';
