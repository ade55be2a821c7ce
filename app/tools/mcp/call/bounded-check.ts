import type { Json } from '../../../../interventions/index.ts';
import { isJsonObject, type JsonObject, targetOf } from '../../../json.ts';
import { SERVER_LIMITS } from '../limits.ts';
import { ownProblem, type Spend } from './value-rules.ts';

/** The budget of a check is spent. A schema that refers to itself can double the work with each level of an input. */
class BudgetError extends Error {
  override readonly name = 'BudgetError';
}

/** A value of the input, and where it stands. */
interface Spot {
  readonly value: Json;
  readonly inside?: Spot;
  readonly name?: string | number;
}

interface Problem {
  readonly spot: Spot;
  readonly text: string;
}

/** `undefined`: the value fits. */
type Problems = readonly Problem[] | undefined;

interface Walk {
  readonly spend: Spend;
  /** The part that a reference leads to. */
  readonly follow: (reference: string) => Json;
}

/**
 * Checks inputs by the schema of a tool server. The schema is read and never becomes code here: it costs nothing before
 * its first check, and each check counts its steps. The check returns what is wrong with an input, or `undefined`.
 *
 * Patterns, `uniqueItems` and unknown keywords are left to the server. The first two can take for ever on a short input.
 */
export function boundedCheck(root: JsonObject): (input: Json) => string | undefined {
  const targets = new Map<string, Json>();
  const follow = (reference: string): Json => {
    const known = targets.get(reference) ?? targetOf(reference, root) ?? true;
    targets.set(reference, known);
    return known;
  };
  return (input) => {
    let left: number = SERVER_LIMITS.checkSteps;
    const spend: Spend = (steps) => {
      left -= steps;
      if (left < 0) throw new BudgetError();
    };
    try {
      return check({ spend, follow }, root, { value: input })?.map(inWords).join(', ');
      // The budget is spent, or a reference that leads back to itself at the same place overflowed the stack.
    } catch (error) {
      if (error instanceof BudgetError || error instanceof RangeError)
        return 'its schema takes too long to check this input. Send a smaller or simpler one';
      throw error;
    }
  };
}

function check(walk: Walk, schema: Json, spot: Spot): Problems {
  if (schema === false) return [{ spot, text: 'boolean schema is false' }];
  if (!isJsonObject(schema)) return undefined;
  walk.spend(1 + Object.keys(schema).length);
  const text = ownProblem(schema, spot.value, walk.spend);
  if (text !== undefined) return [{ spot, text }];
  const { value } = spot;
  const inside = Array.isArray(value) ? items : isJsonObject(value) ? members : nothing;
  return inside(walk, schema, spot) ?? combined(walk, schema, spot);
}

const nothing = (): Problems => undefined;

function items(walk: Walk, schema: JsonObject, spot: Spot): Problems {
  const { prefixItems, items: each, contains, minContains: least = 1, maxContains: most } = schema;
  const first = listOf(prefixItems ?? each);
  const rest = Array.isArray(each) ? schema.additionalItems : each;
  const spots = listOf(spot.value).map((value, name): Spot => ({ value, inside: spot, name }));
  walk.spend(spots.length);
  const wrong = firstProblem(spots.entries(), ([place, item]) => check(walk, first[place] ?? rest ?? true, item));
  if (wrong !== undefined || contains === undefined) return wrong;
  const fitting = spots.filter((item) => check(walk, contains, item) === undefined).length;
  const few = typeof least === 'number' && fitting < least;
  const many = typeof most === 'number' && fitting > most;
  return few || many ? [{ spot, text: `must contain at least ${least} valid item(s)` }] : undefined;
}

function members(walk: Walk, schema: JsonObject, spot: Spot): Problems {
  const { propertyNames } = schema;
  const entries = Object.entries(spot.value ?? {});
  walk.spend(entries.length);
  const additional = additionalOf(schema);
  return (
    firstProblem(entries, ([name, value]): Problems => {
      const known = memberOf(schema.properties, name);
      if (known === undefined && additional === false) return [{ spot, text: 'must NOT have additional properties' }];
      if (propertyNames !== undefined && check(walk, propertyNames, { value: name }) !== undefined)
        return [{ spot, text: 'property name must be valid' }];
      return check(walk, known ?? additional, { value, inside: spot, name });
    }) ?? dependent(walk, schema, spot)
  );
}

/** Without the patterns, it is not known which properties are additional. */
function additionalOf({ additionalProperties, patternProperties }: JsonObject): Json {
  return patternProperties === undefined ? (additionalProperties ?? true) : true;
}

function dependent(walk: Walk, schema: JsonObject, spot: Spot): Problems {
  return firstProblem(['dependentRequired', 'dependentSchemas', 'dependencies'], (keyword) => {
    const rules = Object.entries(schema[keyword] ?? {});
    walk.spend(rules.length);
    const now = rules.filter(([name]) => memberOf(spot.value, name) !== undefined);
    return firstProblem(now, ([, rule]) => check(walk, Array.isArray(rule) ? { required: rule } : rule, spot));
  });
}

function combined(walk: Walk, schema: JsonObject, spot: Spot): Problems {
  const { $ref, anyOf, oneOf, allOf, not, if: condition, then, else: otherwise } = schema;
  const each = (part: Json): Problems => check(walk, part, spot);
  const fits = (part: Json): boolean => each(part) === undefined;

  const always = [...(typeof $ref === 'string' ? [walk.follow($ref)] : []), ...listOf(allOf)];
  const wrong = firstProblem(always, each);
  if (wrong !== undefined) return wrong;
  const any = Array.isArray(anyOf) ? tried(anyOf, each, 1) : undefined;
  if (any?.fitting === 0) return [...any.reasons, { spot, text: 'must match a schema in anyOf' }];
  const one = Array.isArray(oneOf) ? tried(oneOf, each, 2) : undefined;
  if (one !== undefined && one.fitting !== 1)
    return [...(one.fitting === 0 ? one.reasons : []), { spot, text: 'must match exactly one schema in oneOf' }];
  if (not !== undefined && fits(not)) return [{ spot, text: 'must NOT be valid' }];
  const branch = condition === undefined ? undefined : fits(condition) ? then : otherwise;
  return branch === undefined ? undefined : each(branch);
}

/** Tries alternatives until `enough` of them fit, and says why the first ones do not. */
function tried(parts: readonly Json[], each: (part: Json) => Problems, enough: number) {
  const reasons: Problem[] = [];
  let fitting = 0;
  for (const part of parts) {
    const wrong = each(part);
    if (wrong === undefined) fitting += 1;
    else if (reasons.length < TOLD) reasons.push(...wrong.slice(0, 1));
    if (fitting === enough) break;
  }
  return { fitting, reasons };
}

const TOLD = 3;

function firstProblem<Part>(parts: Iterable<Part>, look: (part: Part) => Problems): Problems {
  for (const part of parts) {
    const wrong = look(part);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function inWords({ spot, text }: Problem): string {
  const names: string[] = [];
  for (let at: Spot | undefined = spot; at?.inside !== undefined; at = at.inside) names.push(`/${at.name}`);
  return `data${names.reverse().join('')} ${text}`;
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  if (value === undefined || !isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
  return value[name];
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
