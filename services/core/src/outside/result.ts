/** What a call to the outside ends with: an answer, or the reason why there is none. */

/** The other side answered with a status outside of 300 to 399, in time and with at most 1 MB. */
export interface Answered {
  readonly kind: 'answered'
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/**
 * Why there is no answer:
 * - `invalid_url`: the address of the call cannot be called at all
 * - `name_not_found`: the name has no address
 * - `refused_address`: the name leads into a network that is not allowed (OUTSIDE_ALLOWED_NETWORKS)
 * - `connection`: refused, reset, closed before the end of the answer
 * - `tls`: the certificate or the protocol of the other side is not valid
 * - `timeout`: no complete answer in time
 * - `redirect`: a status of 300 to 399; nothing is called in its place
 * - `too_large`: more than 1 MB of answer
 * - `invalid_answer`: what came is not HTTP
 * - `aborted`: the caller gave the call up
 */
export type FailureReason =
  | 'invalid_url'
  | 'name_not_found'
  | 'refused_address'
  | 'connection'
  | 'tls'
  | 'timeout'
  | 'redirect'
  | 'too_large'
  | 'invalid_answer'
  | 'aborted'

/** `message` is for people of the shop; it names no address of ours. */
export interface Failed {
  readonly kind: 'failed'
  readonly reason: FailureReason
  readonly message: string
}

export type OutsideResult = Answered | Failed

export const failed = (reason: FailureReason, message: string): Failed => ({
  kind: 'failed',
  reason,
  message,
})

/** Whether the other side took it: a status of 200 to 299. */
export const isSuccess = (result: OutsideResult): result is Answered =>
  result.kind === 'answered' && result.status >= 200 && result.status <= 299
