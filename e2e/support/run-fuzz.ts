/** Sends generated requests, some at once, and counts what they were answered with. */
import { checkAnswer, type Dialect, type FuzzRequest } from './fuzz-request.ts'
import type { Reply } from './send.ts'
import { freshAddress } from './source-address.ts'

const AT_ONCE = 8
/** Requests from one address, below every rate limit. */
const PER_ADDRESS = 16

export interface FuzzOptions {
  readonly total: number
  /** The request of this number, from 0. */
  readonly next: (index: number) => FuzzRequest
  readonly dialect: Dialect
  /** What must be true of this answer besides. */
  readonly inspect?: (request: FuzzRequest, reply: Reply) => void
}

/** @returns how often there was each status. */
export const runFuzz = async ({
  total,
  next,
  dialect,
  inspect,
}: FuzzOptions): Promise<Map<number, number>> => {
  const statuses = new Map<number, number>()
  let address = freshAddress()
  for (let sent = 0; sent < total; sent += AT_ONCE) {
    if (sent % PER_ADDRESS === 0) address = freshAddress()
    const requests = Array.from({ length: AT_ONCE }, (_, index) => next(sent + index))
    const replies = await Promise.all(
      requests.map(async (request) => {
        const reply = await checkAnswer(request, dialect, address)
        inspect?.(request, reply)
        return reply
      }),
    )
    for (const { status } of replies) statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  return statuses
}
