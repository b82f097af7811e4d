/**
 * The secret that Merx and a service outside share: calls are signed with it. The column `shared_secret` has a random seed;
 * the secret is made of the seed and the key of core (docs/adr/0088-shared-secrets-are-derived.md).
 */
import { randomBytes } from 'node:crypto'
import { computed } from '@merx/jsonapi/attributes'
import type { Attribute, Row } from '@merx/jsonapi/attributes'
import type { Action } from '@merx/jsonapi/rules'

const SEED_BYTES = 32

export const sharedSecret = (): Attribute =>
  computed(({ shared_secret: seed }, { deriveSecret }) => deriveSecret?.(seed), {
    columns: ['shared_secret'],
    secret: true,
  })

/** The action of `_regenerate_shared_secret`. New rows get their seed from PostgreSQL. */
export const regenerable = {
  regenerate_shared_secret: () => ({ shared_secret: randomBytes(SEED_BYTES).toString('hex') }),
} as const satisfies Record<string, Action>

/** For calls outside: what confidential credentials read as `shared_secret`. Throws when the row was read without its seed. */
export const sharedSecretOf = (
  row: Row,
  { derive }: { readonly derive: (seed: string) => string },
): string => {
  const { shared_secret: seed } = row
  if (typeof seed !== 'string') throw new TypeError('the row has no shared_secret')
  return derive(seed)
}
