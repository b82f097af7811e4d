/** The Prisma client of this service, over a pool that the composition root owns. */
import { PrismaPg } from '@prisma/adapter-pg'
import type { Pool } from 'pg'
import { PrismaClient } from './generated/client.ts'

export type Database = PrismaClient

/** What a function needs that also runs inside a transaction. */
export type DatabaseTransaction = Parameters<Parameters<PrismaClient['$transaction']>[0]>[0]

/** How long a transaction waits for a connection, and how long it may take. */
const TRANSACTION_MS = { maxWait: 10_000, timeout: 10_000 }

export const createDatabase = (pool: Pool): Database =>
  new PrismaClient({ adapter: new PrismaPg(pool), transactionOptions: TRANSACTION_MS })
