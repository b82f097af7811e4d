/** An issued access token, as it is answered and as it is stored for reuse. */
export interface AccessToken {
  readonly token: string
  /** jti */
  readonly tokenId: string
  /** Of the key that signed it. */
  readonly kid: string
  readonly issuedAtSeconds: number
  readonly expiresAtSeconds: number
  /** When its customer signed in. */
  readonly signedInAtSeconds?: number | undefined
}

const isSeconds = (value: unknown): value is number => Number.isSafeInteger(value)

/** The stored text back into a token; undefined when it is anything else, such as an entry of another release. */
export const readAccessToken = (text: string): AccessToken | undefined => {
  const value = parseJson(text)
  if (value === null || typeof value !== 'object') return undefined
  const { token, tokenId, kid, issuedAtSeconds, expiresAtSeconds, signedInAtSeconds } = value as Partial<
    Record<keyof AccessToken, unknown>
  >
  if (typeof token !== 'string' || typeof tokenId !== 'string' || typeof kid !== 'string') return undefined
  if (!isSeconds(issuedAtSeconds) || !isSeconds(expiresAtSeconds)) return undefined
  const read = { token, tokenId, kid, issuedAtSeconds, expiresAtSeconds }
  return isSeconds(signedInAtSeconds) ? { ...read, signedInAtSeconds } : read
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // not JSON is one more way of being something else
  }
}
