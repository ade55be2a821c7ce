/** Under `strict` only what is plainly a yes approves. `reference` decides as the library that this one follows. */
export type Profile = 'strict' | 'reference';
