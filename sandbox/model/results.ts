import { type ApiJson, at, isObject, parseJson, textAt } from '../json.ts';

/** What a tool returned as JSON, in lines that people read. Other text stays as it is. */
export function listInWords(json: string): string {
  const value = parseJson(json);
  if (!isObject(value)) return Array.isArray(value) ? inWords(value) : json;
  return Object.entries(value)
    .map(([name, facts]) => `- **${name}**: ${inWords(facts)}`)
    .join('\n');
}

/** The answer to a form, as *When: Tonight. Tell its users: yes.* with the titles of the form that asked. */
export function formInWords(json: string, asked: ApiJson): string {
  const value = parseJson(json);
  if (!isObject(value)) return json;
  const fields = at(asked, 'form', 'properties');
  const names = isObject(fields) ? Object.keys(fields).filter((name) => name in value) : [];
  const others = Object.keys(value).filter((name) => !names.includes(name));
  return [...names, ...others]
    .map((name) => `${textAt(fields, name, 'title') || name}: ${inWords(value[name])}.`)
    .join(' ');
}

/** An object inside of another one stands in brackets. */
function inWords(value: ApiJson | undefined): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(inWords).join(', ');
  if (!isObject(value)) return String(value);
  return Object.entries(value)
    .map(([name, fact]) => `${name} ${isObject(fact) ? `(${inWords(fact)})` : inWords(fact)}`)
    .join(', ');
}
