/** Several processes of core on one database, with the recorded auth that issues their tokens. */
import { startTarget } from '@merx/load/target'
import type { Target } from '@merx/load/target'
import { ORGANIZATION } from './fill-shop.ts'
import type { ServeCoreFacts, ServeCoreInput } from './serve-core.ts'
import type { RecordedAuthFacts, RecordedAuthInput } from './serve-recorded-auth.ts'

export interface Cores {
  readonly targets: readonly Target<ServeCoreFacts>[]
  /** The same for all of them. */
  readonly tokens: RecordedAuthFacts
  readonly stop: () => Promise<void>
}

/** The database is one of fillShop. Rate limits are those of each process. */
export const startCores = async (databaseUrl: string, count: number): Promise<Cores> => {
  const auth = await startTarget<RecordedAuthFacts>({
    name: 'recorded auth',
    program: new URL('./serve-recorded-auth.ts', import.meta.url),
    input: { organization: ORGANIZATION } satisfies RecordedAuthInput,
  })
  const targets: Target<ServeCoreFacts>[] = []
  const stop = async (): Promise<void> => {
    for (const target of targets) await target.stop()
    await auth.stop()
  }
  try {
    for (let number = 1; number <= count; number += 1) {
      const input: ServeCoreInput = { databaseUrl, authUrl: auth.url, tokens: auth.facts }
      const program = new URL('./serve-core.ts', import.meta.url)
      targets.push(await startTarget<ServeCoreFacts>({ name: `merx ${number}`, program, input }))
    }
  } catch (error) {
    await stop()
    throw error
  }
  return { targets, tokens: auth.facts, stop }
}
