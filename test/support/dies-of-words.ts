/**
 * Loaded into a bot before its own code: the process ends as soon as it reads JSON that fits DIES_OF, as it would of a
 * fault that only this text brings out.
 */
const fatal = new RegExp(process.env.DIES_OF ?? '(?!)', 's');
const parse = JSON.parse;
JSON.parse = (...about: Parameters<typeof parse>): unknown => {
  if (fatal.test(about[0])) process.kill(process.pid, 'SIGKILL');
  return parse(...about);
};
