/** a × b / c, rounded half up; whole numbers, zero or more. */
export const ratioOf = (a: number, b: number, c: number): number =>
  Number((2n * BigInt(a) * BigInt(b) + BigInt(c)) / (2n * BigInt(c)))
