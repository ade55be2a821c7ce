import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { type Span, SpanStatusCode, trace } from '@opentelemetry/api';
import { z } from 'zod';
import { defineConfig, defineTool, secret } from '../../app/index.ts';

/** A tool that is careless with its secret, and an exporter that writes every span. */
const file = (name: string): string => process.env[name] ?? '/dev/null';

const span = (name: string, attributes: unknown): Span => {
  const note = (what: string, ...said: readonly unknown[]): Span => {
    appendFileSync(file('SPANS_FILE'), `${JSON.stringify([name, what, ...said])}\n`);
    return made;
  };
  const made: Span = {
    spanContext: () => ({ traceId: '0'.repeat(32), spanId: '0'.repeat(16), traceFlags: 0 }),
    setAttribute: (...said) => note('attribute', ...said),
    setAttributes: (...said) => note('attributes', ...said),
    addEvent: (...said) => note('event', ...said),
    addLink: () => made,
    addLinks: () => made,
    setStatus: ({ code, message }) => note('status', SpanStatusCode[code], message),
    updateName: (...said) => note('name', ...said),
    end: () => void note('end'),
    isRecording: () => true,
    recordException: (error) => void note('exception', String(error)),
  };
  note('start', attributes);
  return made;
};
const tracer = {
  startSpan: (name: string, options?: { readonly attributes?: unknown }) => span(name, options?.attributes),
  startActiveSpan: () => {
    throw new Error('Nobody starts active spans here.');
  },
};
trace.setGlobalTracerProvider({ getTracer: () => tracer });

/** A tool may remember what it was given, and say it while it works on something else. */
let before = '';

export default defineConfig({
  tools: [
    defineTool({
      name: 'keep_login',
      description: 'Keeps a login.',
      input: z.object({ place: z.string(), value: secret(z.string()), note: z.string() }),
      summarise: ({ place, value }) => `Keep ${value} for ${place}.`,
      preview: ({ value }) => `Nobody has ${value} yet.`,
      precondition: ({ value }) => ({ free: value }),
      run: ({ value, note, place }, { log }) => {
        log(value);
        log(`Before it was ${before}.`);
        before = value;
        const digest = createHash('sha256').update(value).digest('hex');
        appendFileSync(file('WITNESS_FILE'), `${JSON.stringify({ digest, note })}\n`);
        if (place === 'nowhere') throw new Error('There is no such place.');
        log('kept for EMP-654321');
        return 'Kept. For EMP-654321.';
      },
    }),
  ],
  redact: { patterns: [/EMP-\d{6}/] },
});
