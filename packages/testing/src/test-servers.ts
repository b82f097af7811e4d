/** Starts the servers of one test run in a process of their own (server-host.ts) and hands over their URLs. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** Addresses of what was started. */
export interface TestServers {
  readonly postgresUrl?: string
  readonly redisUrl?: string
  /** Stops the servers and removes their data. */
  stop(): Promise<void>
}

/**
 * @param names which servers to start
 * @throws Error with the reason when a server does not start; nothing is left running.
 */
export const startTestServers = async (names: readonly ('postgres' | 'redis')[]): Promise<TestServers> => {
  const program = fileURLToPath(new URL('./server-host.ts', import.meta.url))
  const host = spawn(process.execPath, ['--no-warnings', program, ...names], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true, // its own group: Ctrl-C reaches Jest only, whose end closes the pipe
    env: { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'], HOME: process.env['HOME'] },
  })
  const stop = async (): Promise<void> => {
    if (host.exitCode !== null || host.signalCode !== null) return
    host.ref()
    const exited = once(host, 'exit')
    host.stdin.end()
    await exited
  }
  const firstLine = await readLine(host.stdout)
  const report = JSON.parse(firstLine ?? '{"error":"the process of the test servers ended early"}') as {
    postgresUrl?: string
    redisUrl?: string
    error?: string
  }
  if (report.error !== undefined) {
    await stop()
    throw new Error(report.error)
  }
  // Left alone, the host keeps no process from ending: a run that fails before its teardown still ends.
  for (const handle of [host, host.stdin as Socket, host.stdout as Socket]) handle.unref()
  return {
    ...(report.postgresUrl === undefined ? {} : { postgresUrl: report.postgresUrl }),
    ...(report.redisUrl === undefined ? {} : { redisUrl: report.redisUrl }),
    stop,
  }
}

const readLine = async (stream: NodeJS.ReadableStream): Promise<string | undefined> => {
  const lines = createInterface({ input: stream })
  for await (const line of lines) return line
  return undefined
}
