/** Auth, its PostgreSQL, its Redis and the recorded core, each in a process of its own. */
import { startTarget, type Target } from '@merx/load/target'
import { withDatabase } from '@merx/postgres/create-database'
import { startTestServers } from '@merx/testing/test-servers'
import type { ServeAuthFacts, ServeAuthInput } from './serve-auth.ts'

export type AuthTarget = Target<ServeAuthFacts>

export type StartAuthOptions = Partial<
  Pick<ServeAuthInput, 'signingKeyBits' | 'isReuseOff' | 'integrations' | 'telemetry'>
> & {
  readonly name?: string
  readonly nodeOptions?: readonly string[]
}

/** What several targets of one run share. */
export interface AuthSurroundings {
  readonly coreUrl: string
  /** Of the Redis server; targets use its databases 0, 1, 2… */
  readonly redisUrl: string
  readonly start: (options?: StartAuthOptions) => Promise<AuthTarget>
  readonly close: () => Promise<void>
}

const requireUrl = (url: string | undefined): string => {
  if (url === undefined) throw new Error('PostgreSQL and Redis were started without telling where')
  return url
}

/**
 * Each target gets a database of its own, and a Redis database of its own, so that they cannot share tokens.
 * @throws Error saying which server could not be started
 */
export const openAuthSurroundings = async (): Promise<AuthSurroundings> => {
  const servers = await startTestServers(['postgres', 'redis'])
  const core = await startTarget({
    name: 'recorded core',
    program: new URL('./serve-recorded-core.ts', import.meta.url),
  })
  const opened: AuthTarget[] = []
  const start = async (options: StartAuthOptions = {}): Promise<AuthTarget> => {
    const { name = 'merx', nodeOptions = [], ...settings } = options
    const number = opened.length
    const input: ServeAuthInput = {
      databaseUrl: withDatabase(requireUrl(servers.postgresUrl), `auth_load_${number}`),
      redisUrl: `${requireUrl(servers.redisUrl)}/${number}`,
      coreUrl: core.url,
      signingKeyBits: 4096,
      isReuseOff: false,
      integrations: 1,
      telemetry: {},
      ...settings,
    }
    const program = new URL('./serve-auth.ts', import.meta.url)
    const target = await startTarget<ServeAuthFacts>({ name, program, input, nodeOptions })
    opened.push(target)
    return target
  }
  return {
    coreUrl: core.url,
    redisUrl: requireUrl(servers.redisUrl),
    start,
    close: async () => {
      for (const target of opened.reverse()) await target.stop()
      await core.stop()
      await servers.stop()
    },
  }
}
