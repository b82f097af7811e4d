/** The streams that are open in this process, within their limits. */
import { AppError } from '@merx/errors/app-error'

export const STREAMS_OF_TOKEN_MAX = 10
export const STREAMS_OF_PROCESS_MAX = 2_000
const RETRY_SECONDS = '5'

export interface OpenStream {
  /** Aborts when the process ends. */
  readonly signal: AbortSignal
  readonly close: () => void
}

export interface OpenStreams {
  /** Throws AppError `too_many_requests` or `service_unavailable`. */
  open(tokenId: string): OpenStream
  readonly count: () => number
  /** Ends all, and lets no other begin. */
  end(): void
}

export const createOpenStreams = (processMax = STREAMS_OF_PROCESS_MAX): OpenStreams => {
  const ending = new AbortController()
  const ofTokens = new Map<string, number>()
  let total = 0
  const add = (tokenId: string, change: 1 | -1): void => {
    total += change
    const count = (ofTokens.get(tokenId) ?? 0) + change
    if (count === 0) ofTokens.delete(tokenId)
    else ofTokens.set(tokenId, count)
  }
  return {
    open: (tokenId) => {
      refuseBeyond(ofTokens.get(tokenId) ?? 0, total, { processMax, isEnding: ending.signal.aborted })
      add(tokenId, 1)
      return { signal: ending.signal, close: () => add(tokenId, -1) }
    },
    count: () => total,
    end: () => ending.abort(),
  }
}

const refuseBeyond = (
  ofToken: number,
  ofProcess: number,
  { processMax, isEnding }: { readonly processMax: number; readonly isEnding: boolean },
): void => {
  const headers = { 'Retry-After': RETRY_SECONDS }
  if (ofToken >= STREAMS_OF_TOKEN_MAX)
    throw new AppError('too_many_requests', {
      detail: `This token has ${ofToken} event streams open, the most it may have; close one first.`,
      headers,
    })
  if (ofProcess < processMax && !isEnding) return
  const reason = isEnding ? 'is stopping' : `has ${processMax} event streams open, the most it may have`
  throw new AppError('service_unavailable', {
    detail: `This server ${reason}; try again.`,
    headers,
    level: 'warn',
  })
}
