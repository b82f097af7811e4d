import { SYSTEM_ACTOR, type Actor } from '../audit/audit-event.ts'
import type {
  NewSigningKey,
  PublicJwk,
  SigningKeyState,
  SigningKeyStore,
  StoredSigningKey,
  WithdrawalOutcome,
  WithdrawnKey,
} from '../keys/signing-key.ts'
import { takeNextVersion } from './access-version.ts'
import { appendAudit } from './audit-store.ts'
import type { SigningKey } from './generated/client.ts'
import type { Database, DatabaseTransaction } from './prisma-client.ts'

/** Replicas read their keys again when something arrives here. */
export const SIGNING_KEYS_CHANNEL = 'merx_signing_keys'

const fromRow = (row: SigningKey): StoredSigningKey => ({
  kid: row.kid,
  state: row.state,
  publicJwk: row.publicJwk as unknown as PublicJwk,
  privateKeyEncrypted: row.privateKeyEncrypted,
  createdAt: row.createdAt,
  ...(row.activatesAt === null ? {} : { activatesAt: row.activatesAt }),
  ...(row.activatedAt === null ? {} : { activatedAt: row.activatedAt }),
  ...(row.retiredAt === null ? {} : { retiredAt: row.retiredAt }),
  ...(row.removableAt === null ? {} : { removableAt: row.removableAt }),
})

const announce = (transaction: DatabaseTransaction) =>
  transaction.$executeRaw`SELECT pg_notify(${SIGNING_KEYS_CHANNEL}, '')`

interface Insertion {
  readonly state: SigningKeyState
  readonly at: Date
  readonly activatesAt: Date
  readonly actor: Actor
}

const insert = (
  database: Database,
  key: NewSigningKey,
  { state, at, activatesAt, actor }: Insertion,
): Promise<boolean> =>
  database.$transaction(async (transaction) => {
    // One active and one next key at most, by partial unique index; who comes second uses the other's.
    const { count } = await transaction.signingKey.createMany({
      data: [
        {
          kid: key.kid,
          state,
          publicJwk: { ...key.publicJwk },
          privateKeyEncrypted: key.privateKeyEncrypted,
          createdAt: at,
          activatesAt,
          activatedAt: state === 'active' ? at : null,
        },
      ],
      skipDuplicates: true,
    })
    if (count === 0) return false
    const subject = { type: 'keys', id: key.kid }
    const details = { activates_at: activatesAt.toISOString() }
    await appendAudit(transaction, { actor, action: 'key.rotate', subject, details }, at)
    await announce(transaction)
    return true
  })

/** The row lock lets one replica through; for the others the key is no longer the next one when they get it. */
const lockDueKey = async (transaction: DatabaseTransaction, at: Date): Promise<bigint | undefined> => {
  const [row] = await transaction.$queryRaw<{ id: bigint }[]>`
    SELECT id FROM signing_keys WHERE state = 'next' AND activates_at <= ${at} FOR UPDATE`
  return row === undefined ? undefined : BigInt(row.id)
}

interface LockedKey {
  readonly id: bigint
  readonly state: SigningKeyState
}

const lockKeys = (transaction: DatabaseTransaction): Promise<(LockedKey & { kid: string })[]> =>
  transaction.$queryRaw`SELECT id, kid, state::text FROM signing_keys ORDER BY id FOR UPDATE`

/** The next key signs at once, else the successor. */
const replaceActive = async (
  transaction: DatabaseTransaction,
  next: LockedKey | undefined,
  successor: NewSigningKey | undefined,
  at: Date,
): Promise<void> => {
  if (next !== undefined) {
    await transaction.signingKey.update({
      where: { id: next.id },
      data: { state: 'active', activatedAt: at },
    })
    return
  }
  if (successor === undefined) return
  const { kid, publicJwk, privateKeyEncrypted } = successor
  const times = { createdAt: at, activatesAt: at, activatedAt: at }
  await transaction.signingKey.create({
    data: { kid, publicJwk: { ...publicJwk }, privateKeyEncrypted, state: 'active', ...times },
  })
}

const withdrawIn = async (
  transaction: DatabaseTransaction,
  { kid, expiresAt }: WithdrawnKey,
  { at, actor, successor }: Parameters<SigningKeyStore['withdraw']>[1],
): Promise<WithdrawalOutcome> => {
  const keys = await lockKeys(transaction)
  const key = keys.find((each) => each.kid === kid)
  if (key === undefined)
    return (await transaction.withdrawnKey.findUnique({ where: { kid } })) === null
      ? 'unknown'
      : 'withdrawn_before'
  const next = keys.find(({ state }) => state === 'next')
  if (key.state === 'active' && next === undefined && successor === undefined) return 'needs_successor'
  await transaction.signingKey.delete({ where: { id: key.id } })
  if (key.state === 'active') await replaceActive(transaction, next, successor, at)
  await appendAudit(transaction, { actor, action: 'key.withdraw', subject: { type: 'keys', id: kid } }, at)
  await announce(transaction)
  const stateVersion = await takeNextVersion(transaction)
  await transaction.withdrawnKey.create({ data: { kid, stateVersion, withdrawnAt: at, expiresAt } })
  return 'withdrawn'
}

export const createSigningKeyStore = (database: Database): SigningKeyStore => ({
  listPublished: async (at) => {
    const rows = await database.signingKey.findMany({
      where: { OR: [{ removableAt: null }, { removableAt: { gt: at } }] },
      orderBy: { id: 'desc' },
    })
    return rows.map(fromRow)
  },

  insertFirstActive: async (key, at) => {
    await insert(database, key, { state: 'active', at, activatesAt: at, actor: SYSTEM_ACTOR })
  },

  insertNext: (key, plan) => insert(database, key, { state: 'next', ...plan }),

  activateNext: (at, removableAt) =>
    database.$transaction(async (transaction) => {
      const id = await lockDueKey(transaction, at)
      if (id === undefined) return false
      await transaction.signingKey.updateMany({
        where: { state: 'active' },
        data: { state: 'retired', retiredAt: at, removableAt },
      })
      const { kid } = await transaction.signingKey.update({
        where: { id },
        data: { state: 'active', activatedAt: at },
      })
      const subject = { type: 'keys', id: kid }
      await appendAudit(transaction, { actor: SYSTEM_ACTOR, action: 'key.activate', subject }, at)
      await announce(transaction)
      return true
    }),

  withdraw: (key, plan) => database.$transaction((transaction) => withdrawIn(transaction, key, plan)),
})
