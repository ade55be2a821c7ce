// Loaded before the bot. Ends the bot when the demo is gone, even a demo that was killed: its end of this pipe then closes.
process.stdin.on('close', () => process.kill(process.pid, 'SIGKILL'));
process.stdin.resume();
process.stdin.unref();

export {};
