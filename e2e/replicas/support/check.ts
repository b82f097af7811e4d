/** What is checked on replicas. */

export interface Finding {
  /** What was measured, for people. */
  readonly figures: string
  /** What is not as it must be, a sentence each. */
  readonly wrong: readonly string[]
}

export interface Check {
  /** Of the command line: `failover`. */
  readonly name: string
  /** The guarantee. */
  readonly title: string
  readonly run: () => Promise<Finding>
}

/** How often each occurs: `201: 1, 409: 11`. */
export const tally = (values: readonly (string | number)[]): string =>
  [...Map.groupBy(values, String)].map(([value, all]) => `${value}: ${all.length}`).join(', ')

/** The sentence, unless it holds. */
export const unless = (holds: boolean, sentence: string): readonly string[] => (holds ? [] : [sentence])
