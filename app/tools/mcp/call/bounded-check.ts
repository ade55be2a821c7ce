import type { Json } from '../../../../interventions/index.ts';
import { isJsonObject, type JsonObject, targetOf } from '../../../json.ts';
import { SERVER_LIMITS } from '../limits.ts';
import { isLeftToServer, ownProblem, type Spend } from './value-rules.ts';

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
  /** How many of the schemas that were looked at said more than is checked here. */
  left: number;
}

/**
 * Checks inputs by the schema of a tool server. The schema is read and never becomes code here: it costs nothing before
 * its first check, and each check counts its steps. The check returns what is wrong with an input, or `undefined`.
 *
 * Patterns, `uniqueItems`, unknown formats and unknown keywords are left to the server. The first two can take for ever on a
 * short input. No input is refused for fitting a schema with one of the first three: it may not fit all of it.
 */
export function boundedCheck(root: JsonObject): (input: Json) => string | undefined {
  const targets = new Map<string, Json>();
  const follow = (reference: string): Json => {
    const known = targets.get(reference) ?? targetOf(reference, root) ?? true;
    targets.set(reference, known);
    return known;
  };
  return (input) => {
    let budget: number = SERVER_LIMITS.checkSteps;
    const spend: Spend = (steps) => {
      budget -= steps;
      if (budget < 0) throw new BudgetError();
    };
    try {
      return check({ spend, follow, left: 0 }, root, { value: input })?.map(inWords).join(', ');
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
  if (isLeftToServer(schema, value)) walk.left += 1;
  const inside = Array.isArray(value) ? items : isJsonObject(value) ? members : nothing;
  return inside(walk, schema, spot) ?? combined(walk, schema, spot);
}

type Fit = 'yes' | 'perhaps' | 'no';

function fitOf(walk: Walk, schema: Json, spot: Spot): Fit {
  const { left } = walk;
  if (check(walk, schema, spot) !== undefined) return 'no';
  return walk.left === left ? 'yes' : 'perhaps';
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
  const fits = spots.map((item) => fitOf(walk, contains, item));
  const few = typeof least === 'number' && fits.filter((fit) => fit !== 'no').length < least;
  const many = typeof most === 'number' && fits.filter((fit) => fit === 'yes').length > most;
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

  const always = [...(typeof $ref === 'string' ? [walk.follow($ref)] : []), ...listOf(allOf)];
  const wrong = firstProblem(always, each);
  if (wrong !== undefined) return wrong;
  const any = Array.isArray(anyOf) ? tried(walk, anyOf, spot, ({ fitting }) => fitting > 0) : undefined;
  if (any?.fitting === 0) return [...any.reasons, { spot, text: 'must match a schema in anyOf' }];
  const one = Array.isArray(oneOf) ? tried(walk, oneOf, spot, ({ surely }) => surely > 1) : undefined;
  if (one !== undefined && (one.fitting === 0 || one.surely > 1))
    return [...(one.fitting === 0 ? one.reasons : []), { spot, text: 'must match exactly one schema in oneOf' }];
  if (not !== undefined && fitOf(walk, not, spot) === 'yes') return [{ spot, text: 'must NOT be valid' }];
  const met = condition === undefined ? 'perhaps' : fitOf(walk, condition, spot);
  const branch = { yes: then, perhaps: undefined, no: otherwise }[met];
  return branch === undefined ? undefined : each(branch);
}

interface Fitting {
  readonly fitting: number;
  readonly surely: number;
}

/** Tries alternatives until enough of them fit, and says why the first ones do not. */
function tried(walk: Walk, parts: readonly Json[], spot: Spot, isEnough: (so: Fitting) => boolean) {
  const reasons: Problem[] = [];
  let [fitting, surely] = [0, 0];
  for (const part of parts) {
    const { left } = walk;
    const wrong = check(walk, part, spot);
    if (wrong === undefined) fitting += 1;
    else if (reasons.length < TOLD) reasons.push(...wrong.slice(0, 1));
    if (wrong === undefined && walk.left === left) surely += 1;
    if (isEnough({ fitting, surely })) break;
  }
  return { fitting, surely, reasons };
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
