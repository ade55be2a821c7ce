export { accountOf, spelledAsOurs, spelledFor } from './belonging.ts';
export { clientOptions, slackLogger } from './client.ts';
export { createDirectory, type Known } from './directory.ts';
export { createManyWorkspaces, UNLISTED } from './many-workspaces.ts';
export { createPeople, memberPages, type PeopleDeps } from './people.ts';
export { SCOPES } from './scopes.ts';
export { createTeams, type Teams } from './teams.ts';
export { createOneWorkspace, perWorkspace, type Workspace, type Workspaces } from './workspaces.ts';
