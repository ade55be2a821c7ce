import { type ApiJson, at, isObject, parseJson, textAt } from '../json.ts';

/** What a tool returned as JSON, in lines that people read. */
export function listInWords(json: string): string {
  const value = parseJson(json);
  if (!isObject(value)) return json;
  return Object.entries(value)
    .map(
      ([name, facts]) =>
        `- **${name}**: ${
          isObject(facts)
            ? Object.entries(facts)
                .map(([what, is]) => `${what} ${is}`)
                .join(', ')
            : String(facts)
        }`,
    )
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
    .map((name) => `${textAt(fields, name, 'title') || name}: ${fieldInWords(value[name])}.`)
    .join(' ');
}

function fieldInWords(value: ApiJson | undefined): string {
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
}
