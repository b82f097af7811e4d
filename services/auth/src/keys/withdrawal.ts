/**
 * The end of a key that leaked: removed for good, and every token it signed with it. Services hear of it through the
 * access state, within a second; those outside once they ask for the keys again (routes/jwks.ts).
 */
import { generateSigningKey } from './generate-key.ts'
import { removableFrom, requireSameSecret, type RotationDeps } from './rotation.ts'
import type { WithdrawalOutcome } from './signing-key.ts'

/** A key that signs is followed by the next one, else by one made now. @throws ForeignSecret */
export const withdrawKey = async (kid: string, deps: RotationDeps): Promise<WithdrawalOutcome> => {
  const { store, encryption, bits, clock, actor } = deps
  const withdraw = (successor?: Awaited<ReturnType<typeof generateSigningKey>>) => {
    const at = clock.now()
    return store.withdraw({ kid, expiresAt: removableFrom(at) }, { at, actor, successor })
  }
  const outcome = await withdraw()
  if (outcome !== 'needs_successor') return outcome
  const active = (await store.listPublished(clock.now())).find((key) => key.kid === kid)
  if (active === undefined) return withdraw()
  requireSameSecret(encryption, active)
  return withdraw(await generateSigningKey(bits, encryption))
}
