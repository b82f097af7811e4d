import type { Logger } from '@merx/telemetry/logger'
import { Router } from 'express'

/** Each check resolves when its dependency works and throws, or takes longer than `timeoutMs`, when it does not. */
export interface HealthOptions {
  readonly ready: Readonly<Record<string, () => Promise<void>>>
  readonly timeoutMs?: number
  /** What else is worth knowing of the service's state, without asking anybody; shown, never judged. */
  readonly details?: () => Readonly<Record<string, unknown>>
  readonly log?: Logger
}

const withTimeout = async (check: () => Promise<void>, timeoutMs: number): Promise<void> => {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(new Error(`no answer within ${timeoutMs} ms`))
  }, timeoutMs)
  try {
    await Promise.race([check(), promise])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * `GET /health/live`: 200 while the process serves. `GET /health/ready`: 200 when every check passes, else 503 naming
 * the failing ones: `{"status":"unavailable","checks":{"database":"ok","redis":"failing"}}`. Why goes to the log only.
 */
export const healthRoutes = ({ ready, timeoutMs = 2_000, details, log }: HealthOptions): Router => {
  const run = async ([name, check]: [string, () => Promise<void>]): Promise<[string, 'ok' | 'failing']> => {
    try {
      await withTimeout(check, timeoutMs)
      return [name, 'ok']
    } catch (error) {
      log?.warn({ err: error, check: name }, 'a readiness check failed')
      return [name, 'failing']
    }
  }
  const router = Router()
  router.use('/health', (_req, res, next) => {
    res.setHeader('Cache-Control', 'no-store')
    next()
  })
  router.get('/health/live', (_req, res) => {
    res.json({ status: 'ok' })
  })
  router.get('/health/ready', async (_req, res) => {
    const results = await Promise.all(Object.entries(ready).map(run))
    const isReady = results.every(([, result]) => result === 'ok')
    res.status(isReady ? 200 : 503)
    res.json({
      status: isReady ? 'ok' : 'unavailable',
      checks: Object.fromEntries(results),
      ...(details === undefined ? {} : { details: details() }),
    })
  })
  return router
}
