/** Names and environment that initdb and the server share. */

/** The database account that owns everything in the cluster. */
export const USER = 'merx'

/** Nothing of the caller's environment: PGPORT, PGDATA and the like would change what the programs do. */
export const environment = (): NodeJS.ProcessEnv => ({ PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' })
