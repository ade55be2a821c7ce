/** `strict`: only a plain yes approves. `reference`: decides like the library that this one follows. */
export type Profile = 'strict' | 'reference';
