export {
  type Elicitation,
  type ElicitationAnswer,
  type ElicitationContext,
  misfit,
  type OnElicitation,
} from './call/elicitation.ts';
export { isJsonObject, type JsonObject } from './call/json-object.ts';
export { readServersFile, ToolServersFileError } from './file.ts';
export { openPins, PINS_FILE, type Pin, type Pins, PinsFileError } from './pins.ts';
export { type CreateToolServersDeps, createToolServers, type ToolServers } from './servers.ts';
