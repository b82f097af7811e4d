/** What auth answered, as data: recorded from a real one by bench/contracts. */
import { readFileSync } from 'node:fs'
import type { AccessStateDocument } from '@merx/access-token/access-state-document'
import type { ClaimOverrides } from '@merx/testing/mint-token'

interface Recording {
  /** The whole answer of GET /internal/access-state. */
  readonly access_state: AccessStateDocument
  /** Of tokens that auth issued. */
  readonly claims: Readonly<Record<'integration' | 'sales_channel', ClaimOverrides>>
}

export const recording = JSON.parse(
  readFileSync(new URL('./recorded-auth.json', import.meta.url), 'utf8'),
) as Recording

/** Of one token, and not of the next. */
const OF_ONE_TOKEN: readonly string[] = ['exp', 'iat', 'iss', 'jti', 'rand']

/** What every token of an integration says. */
export const integrationClaims = (): ClaimOverrides =>
  Object.fromEntries(
    Object.entries(recording.claims.integration).filter(([name]) => !OF_ONE_TOKEN.includes(name)),
  )
