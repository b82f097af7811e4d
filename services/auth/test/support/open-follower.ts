/** A replica of auth with the access state and the verifier of a service that follows it. */
import { createAccessState, type AccessState } from '@merx/access-token/access-state'
import { createVerifier, type Verifier } from '@merx/access-token/verifier'
import { Secret } from '@merx/config/secret'
import { createInternalClient } from '@merx/http/internal-client'
import { listen } from '@merx/http/listen'
import { systemClock, type Clock } from '@merx/telemetry/clock'
import { inProcessClient, type InProcessClient } from '@merx/testing/in-process-client'
import { silentLogger } from '@merx/testing/silent-logger'
import { SERVICE_KEY, type TestSystem } from './auth-system.ts'

export interface Follower {
  readonly api: InProcessClient
  readonly state: AccessState
  readonly verifier: Verifier
  readonly close: () => Promise<void>
}

/** @param clock of auth and of the verifier; by default that of the system */
export const openFollower = async (system: TestSystem, clock: Clock = system.clock): Promise<Follower> => {
  const auth = await system.another({ clock })
  const server = await listen(auth.internalApp, { host: '127.0.0.1', port: 0 })
  const key = new Secret(SERVICE_KEY)
  const client = createInternalClient({ url: server.url, key, timeoutMs: 5_000, log: silentLogger })
  const state = createAccessState({ client, log: silentLogger, clock: systemClock })
  await state.start()
  const verifier = createVerifier({
    jwksUrl: `${server.url}/.well-known/jwks.json`,
    issuer: 'https://auth.merx.localhost',
    clock,
    accessState: state,
  })
  return {
    api: inProcessClient(auth.app),
    state,
    verifier,
    close: async () => {
      await state.close()
      auth.endWaits()
      await server.close()
    },
  }
}
