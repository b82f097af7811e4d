/** The running system as its clients and its operator see it. */
import { Client } from 'pg'
import type { Audited } from '../../faults/support/compare-totals.ts'
import { demo } from '../../support/demo.ts'
import { docker } from './containers.ts'

const CORE = 'merx-core-1'
const IN_DATA_NETWORK = 'merx-redis-1'

/** Where the name `postgres` leads now. */
const primaryAddress = async (): Promise<string> => {
  const [address] = (await docker('exec', IN_DATA_NETWORK, 'getent', 'hosts', 'postgres')).split(/\s/)
  if (address === undefined) throw new Error('nobody is called postgres')
  return address
}

/** Of one moment: opened again after another PostgreSQL took over. */
export const openSystem = async (): Promise<Audited> => {
  const { auth_url, base_url, ...rest } = demo()
  const url = new URL(await docker('exec', CORE, 'cat', '/run/secrets-of-merx/database_url'))
  url.host = `${await primaryAddress()}:5432`
  return {
    demo: { auth_url, base_url, ...rest },
    addresses: { auth: auth_url, core: base_url, metrics: base_url },
    postgres: {
      databaseUrl: (name) => {
        if (url.pathname !== `/${name}`) throw new Error(`the account of core opens no ${name}`)
        return url.href
      },
    },
  }
}

/** One number from core's database. */
export const countInCore = async (sql: string, values: readonly unknown[]): Promise<number> => {
  const client = new Client({ connectionString: (await openSystem()).postgres.databaseUrl('merx_core') })
  await client.connect()
  try {
    const { rows } = await client.query<{ readonly count: number }>(sql, [...values])
    return rows[0]?.count ?? 0
  } finally {
    await client.end()
  }
}

/** Whether the standby has what the server in this container acknowledges. Accounts of services may not see it. */
export const isFollowed = async (container: string, standby: string): Promise<boolean> => {
  const sql = `SELECT count(*) FROM pg_stat_replication
    WHERE application_name = '${standby}' AND sync_state = 'sync' AND state = 'streaming'`
  return (await docker('exec', container, 'psql', '-U', 'merx', '-Atc', sql)) === '1'
}
