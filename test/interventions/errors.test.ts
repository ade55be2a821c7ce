import { describe, expect, it } from 'vitest';
import * as library from '../../interventions/index.ts';

const { InterventionError, InterruptedStateError, ConfigurationError } = library;
const kinds = Object.entries(library).filter(([name]) => name.endsWith('Error') && name !== 'InterventionError');

describe('what this library throws', () => {
  it.each(kinds)('BEY-40 is caught by one base class: %s', (_name, kind) => {
    const error: unknown = Object.create(Reflect.get(Object(kind), 'prototype'));

    expect(error).toBeInstanceOf(InterventionError);
    expect(error).toBeInstanceOf(Error);
  });

  it('BEY-40 is told apart by kind', () => {
    const waits = new InterruptedStateError('Answer first.');

    expect(waits).toBeInstanceOf(TypeError);
    expect(waits).not.toBeInstanceOf(ConfigurationError);
    expect(new ConfigurationError('No.')).not.toBeInstanceOf(InterruptedStateError);
    for (const other of [new TypeError('No.'), new Error('No.'), null, 'InterventionError']) {
      expect(other).not.toBeInstanceOf(InterventionError);
    }
  });
});
