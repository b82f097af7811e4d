/** Checks at start that the ClickHouse server of CLICKHOUSE_URL answers. */

/** Host and port for messages, without the password. */
export const placeOfServer = (url: string): string => `ClickHouse at ${new URL(url).host}`

const ANSWER_MS = 3_000

/** Resolves when the server answers that it is up. @throws Error saying why not */
export const probeServer = async (url: string): Promise<void> => {
  const response = await fetch(new URL('/ping', new URL(url).origin), {
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch((error: unknown) => {
    throw error instanceof Error && error.cause instanceof Error ? error.cause : error
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`answered ${response.status}`)
}
