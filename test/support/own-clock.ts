/*
 * Loaded before a bot: a clock that is wrong by so many milliseconds when the process begins, and then runs at a rate of its
 * own. What measures how much time passes runs at that rate as well.
 */
const [wrongByMs = 0, rate = 1] = (process.env.OWN_CLOCK ?? '').split(' ').map(Number);

const realNow = Date.now;
const beganMs = realNow();
const now = (): number => Math.round(beganMs + wrongByMs + (realNow() - beganMs) * rate);
Date.now = now;
globalThis.Date = new Proxy(Date, {
  construct: (real, given, made) => Reflect.construct(real, given.length === 0 ? [now()] : given, made),
});

const realElapsed = performance.now.bind(performance);
const startedMs = realElapsed();
performance.now = () => startedMs + (realElapsed() - startedMs) * rate;
