/** Loggers for tests: one that says nothing, one whose lines can be read. */
import { Writable } from 'node:stream'
import { createLogger } from '@merx/telemetry/logger'
import type { Logger } from '@merx/telemetry/logger'

/** Writes nothing. */
export const silentLogger: Logger = createLogger({ service: 'test', level: 'silent' })

/** A logger, and what it wrote. */
export interface RecordingLogger {
  readonly log: Logger
  /** Every line so far, parsed. */
  readonly lines: readonly Record<string, unknown>[]
}

/** A real logger at level `trace` whose lines land in an array, redaction included. */
export const createRecordingLogger = (): RecordingLogger => {
  const lines: Record<string, unknown>[] = []
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const line of chunk.toString().split('\n').filter(Boolean)) {
        lines.push(JSON.parse(line) as Record<string, unknown>)
      }
      done()
    },
  })
  return { log: createLogger({ service: 'test', level: 'trace', destination }), lines }
}
