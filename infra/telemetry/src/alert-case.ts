/** What an alert is tried on: series on which somebody must be called, and series on which nobody may be. */

/**
 * Selectors and values in Prometheus's notation, a sample every 15 s: `0+30x80` grows by 30 eighty times, `1x80` stays at 1.
 */
export type Series = Readonly<Record<string, string>>

export interface FiringCase {
  readonly series: Series
  /** Minutes after the first sample. */
  readonly afterMinutes: number
  /** What Prometheus knows of the series that it calls for. */
  readonly labels: Readonly<Record<string, string>>
  readonly summary: string
}

export interface QuietCase {
  readonly because: string
  readonly series: Series
  readonly afterMinutes: number
}

export interface AlertCases {
  readonly fires: readonly FiringCase[]
  readonly quiet: readonly QuietCase[]
}
