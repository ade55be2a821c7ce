/** Keeps the fields that have a value. In JSON, an absent field and an undefined one differ. */
export function given<Fields extends object>(fields: Fields): Given<Fields> {
  const kept: Record<string, unknown> = {};
  // A loop, because each entry of a journal and each effect of it is made with this.
  for (const name in fields) if (fields[name] !== undefined) kept[name] = fields[name];
  // The loop leaves out exactly the undefined values, as `Given` says.
  return kept as Given<Fields>;
}

export type Given<Fields> = {
  [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name];
} & {
  [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<Fields[Name], undefined>;
};
