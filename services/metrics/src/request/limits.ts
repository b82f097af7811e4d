/** Limits of one request. Those of the interface are from spec metrics.md 4; the others keep a query affordable. */
export const limits = {
  bodyBytesMax: 65_536,
  /** Objects and arrays inside each other, the body counted. A nested breakdown with a condition needs five. */
  depthMax: 8,
  listItemsMax: 1_000,
  itemLengthMax: 256,
  textLengthMax: 256,
  textTermsMax: 32,
  fieldsMax: 200,
  breakdownDefault: 10,
  breakdownMax: 100,
  searchDefault: 50,
  searchMax: 100,
  cursorLengthMax: 1_024,
  /** Records of one export. */
  exportMax: 100_000,
  /** Largest absolute value of a number: up to here each whole number is one of its own. A year's sales in VND are beyond 1e12. */
  numberMax: Number.MAX_SAFE_INTEGER,
  /** What decimals of the engine compare; a shorter one would be another number. */
  fractionDigitsMax: 8,
  defaultRangeDays: 30,
} as const

/** What the engine may spend on one query before it is stopped. */
export interface Budget {
  readonly timeoutMs: number
  readonly memoryBytesMax: number
  /** Distinct groups held while aggregating. */
  readonly groupsMax: number
  /** Rows of the answer: buckets of all levels, or records. */
  readonly rowsMax: number
  /** Threads at once; undefined: one for each processor. */
  readonly threadsMax?: number
}
