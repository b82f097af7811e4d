/** When a webhook is called again after a failure (ADR 91; the vendor publishes the number of retries, not the delays). */

const MINUTE = 60
const HOUR = 3_600

/** Seconds to wait after the first failure, the second, and so on. After the last one the delivery has failed. */
export const RETRY_DELAYS_SECONDS: readonly number[] = [
  0,
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  10 * HOUR,
  14 * HOUR,
  24 * HOUR,
]
