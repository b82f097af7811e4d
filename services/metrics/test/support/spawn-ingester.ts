/** Starts ingester-process.ts and follows what it says about itself. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { IngestStatus } from '../../src/ingest/ingest-status.ts'

export interface IngesterProcess {
  /** What it said last. */
  status(): Partial<IngestStatus>
  signal(name: 'SIGSTOP' | 'SIGCONT' | 'SIGTERM'): void
  /** At once, as a crash would; also when it is stopped. */
  kill(): Promise<void>
  readonly ended: Promise<unknown>
}

const MAIN = fileURLToPath(new URL('ingester-process.ts', import.meta.url))

export const spawnIngester = (clickhouseUrl: string, feedUrl: string): IngesterProcess => {
  const child = spawn(process.execPath, [MAIN, clickhouseUrl, feedUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let last: Partial<IngestStatus> = {}
  createInterface({ input: child.stdout }).on('line', (line) => {
    last = JSON.parse(line) as Partial<IngestStatus>
  })
  const ended = once(child, 'exit')
  return {
    status: () => last,
    signal: (name) => void child.kill(name),
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await ended
    },
    ended,
  }
}
