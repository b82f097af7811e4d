import { openAuthSurroundings } from '@merx/auth/load/start-auth'
import { salesChannelTokenRequest } from '@merx/auth/load/token-requests'
import type { Bench } from '@merx/load/bench'
import { always } from '@merx/load/closed-loop'
import { measureMemoryGrowth, toMemoryCheck, toMemoryTable } from '@merx/load/memory-growth'
import { asIntegrations, CONNECTIONS } from './token-callers.ts'

/** Fewer fresh ones: each costs a signature. */
const FRESH_REQUESTS = 20_000

export const bench: Bench = {
  summary:
    'Memory of auth over 100,000 reused and 20,000 fresh tokens, each point after a garbage collection.',
  run: async ({ defer, say }) => {
    const surroundings = await openAuthSurroundings()
    defer(surroundings.close)
    const reusing = await surroundings.start()
    const reused = await measureMemoryGrowth({
      target: reusing,
      callerOf: always(salesChannelTokenRequest(reusing.facts.salesChannel)),
      connections: CONNECTIONS,
      say,
    })
    const signing = await surroundings.start({
      signingKeyBits: 2048,
      isReuseOff: true,
      integrations: CONNECTIONS,
    })
    const fresh = await measureMemoryGrowth({
      target: signing,
      callerOf: asIntegrations(signing),
      connections: CONNECTIONS,
      requests: FRESH_REQUESTS,
      say,
    })
    return {
      tables: [
        { title: 'Reused tokens', ...toMemoryTable(reused) },
        { title: 'Fresh tokens', ...toMemoryTable(fresh) },
      ],
      checks: [toMemoryCheck('reused', reused), toMemoryCheck('fresh', fresh)],
    }
  },
}
