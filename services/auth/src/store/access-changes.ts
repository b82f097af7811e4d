/** Publishes to running services that a credential or a user changed while its tokens are valid. */
import { CUSTOM_LIFETIME_SECONDS_MAX } from '../clients/lifetimes.ts'
import { takeNextVersion } from './access-version.ts'
import type { DatabaseTransaction } from './prisma-client.ts'

/** No token was issued after it: refuses all, for as long as its subject is disabled or deleted. */
export const END_OF_TIME = new Date('9999-12-31T23:59:59Z')

/** Clocks of replicas may differ by this much. */
const SLACK_SECONDS = 600

/**
 * `iat` has whole seconds, so tokens of the second that has begun may be from before: what is issued in the rest of it
 * bears the next one (tokens/issue-token.ts).
 */
export const startOfNextSecond = (instant: Date): Date =>
  new Date((Math.floor(instant.getTime() / 1_000) + 1) * 1_000)

/** What stays undefined keeps the value an earlier change gave it. Without either, services only look again. */
export interface ChangedAccess {
  readonly revokedBefore?: Date
  readonly roleId?: bigint
}

/**
 * Call it last in a transaction: it takes the next version, and those who need one wait for the commit.
 * @returns that version
 */
export const recordAccessChange = async (
  transaction: DatabaseTransaction,
  subject: { type: 'application' | 'user'; id: bigint },
  changed: ChangedAccess,
  at: Date,
): Promise<bigint> => {
  const stateVersion = await takeNextVersion(transaction)
  const expiresAt = new Date(at.getTime() + (CUSTOM_LIFETIME_SECONDS_MAX + SLACK_SECONDS) * 1_000)
  const row = { ...changed, stateVersion, expiresAt }
  await transaction.accessChange.upsert({
    where: { subjectType_subjectId: { subjectType: subject.type, subjectId: subject.id } },
    create: { subjectType: subject.type, subjectId: subject.id, ...row },
    update: row,
  })
  return stateVersion
}
