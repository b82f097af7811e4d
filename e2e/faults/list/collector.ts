/** Telemetry is for the operator: what it does must not matter to users. */
import { createServer, type Server } from 'node:net'
import { findFreePort } from '@merx/local-postgres/free-port'
import { restartServices } from '../support/restart.ts'
import type { Fault } from '../support/run-fault.ts'
import { SERVICES } from '../support/service-process.ts'

const ENDED_MS_MAX = 15_000

const listenSilently = async (): Promise<Server> => {
  const port = await findFreePort()
  const server = createServer((socket) => socket.on('error', () => socket.destroy()).resume())
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return server
}

const environmentOf = (server: Server): Record<string, string> => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the silent collector does not listen')
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${address.port}`,
    OTEL_TRACES_SAMPLER: 'parentbased_always_on',
  }
}

/** Takes traces and answers none, then is gone; every request is traced. Services must also end in time without it. */
const createLostCollector = (): Fault => {
  let server: Server | undefined
  return {
    name: 'lost-collector',
    title: 'the collector of traces answers nothing, then is gone (every request is traced)',
    isUnseen: true,
    lastsMs: 6_000,
    prepare: async (lab) => {
      const silent = await listenSilently()
      server = silent
      await restartServices(lab, SERVICES, (service) => service.setEnvironment(environmentOf(silent)))
      return async () => {
        const startedAt = performance.now()
        await Promise.all(SERVICES.map((name) => lab.services[name].stop()))
        const endedMs = performance.now() - startedAt
        if (endedMs > ENDED_MS_MAX)
          throw new Error(`services took ${Math.round(endedMs)} ms to end without a collector`)
        await restartServices(lab, SERVICES, (service) => service.setEnvironment({}))
      }
    },
    inject: () => undefined,
    repair: () => void server?.close(),
  }
}

export const collectorFaults: readonly Fault[] = [createLostCollector()]
