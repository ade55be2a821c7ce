/** Those of the fields that have a value: to a reader of JSON, absent and undefined are different things. */
export function given<Fields extends object>(fields: Fields): Given<Fields> {
  // Leaving out exactly the undefined values is what the type says.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<Fields>;
}

export type Given<Fields> = {
  [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name];
} & {
  [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<Fields[Name], undefined>;
};
