/** Keeps the fields that have a value. In JSON, an absent field and an undefined one differ. */
export function given<Fields extends object>(fields: Fields): Given<Fields> {
  // The filter leaves out exactly the undefined values, as `Given` says.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<Fields>;
}

export type Given<Fields> = {
  [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name];
} & {
  [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<Fields[Name], undefined>;
};
