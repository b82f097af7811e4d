/** When a question that got no answer is asked again. */
import { CommerceLayerStatic } from '@commercelayer/sdk'
import { Refused } from './answers.ts'
import { problemsOf } from './api.ts'
import { SessionOver } from './session.ts'

const TOO_MANY = 429
/** The limits are those of an address, which a shop's staff share: their windows are 10 and 60 seconds long. */
const WAITS_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000]
const TRIES_WITHOUT_ANSWER = 2

const statusOf = (error: unknown): number | undefined => {
  if (error instanceof Refused) return error.status
  return CommerceLayerStatic.isApiError(error) ? error.status : undefined
}

/** What was refused is refused again, except for what was only too much at once. */
export const mayRetry = (count: number, error: Error): boolean => {
  if (error instanceof SessionOver) return false
  const status = statusOf(error)
  if (status === TOO_MANY) return count < WAITS_MS.length
  return status === undefined && count < TRIES_WITHOUT_ANSWER
}

const AGAIN = /try again in (?<seconds>\d+) seconds/

/** Milliseconds before the next try: what the refusal says, else longer each time. */
export const retryDelay = (count: number, error: Error): number => {
  const [seconds] = problemsOf(error).flatMap(({ detail }) => AGAIN.exec(detail)?.groups?.['seconds'] ?? [])
  if (seconds !== undefined) return (Number(seconds) + 1) * 1_000
  return WAITS_MS[Math.min(count, WAITS_MS.length - 1)] ?? 0
}
