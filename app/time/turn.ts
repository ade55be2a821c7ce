/** Resolves when this process has turned to what waits meanwhile: answers of Slack, presses, checks of its health. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
