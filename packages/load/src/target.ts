/** The side that measures: starts what is measured in a process of its own, so that neither slows the other's code. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { TargetReply, TargetRequest, TargetSample } from './target-messages.ts'

/** A running program under measurement. */
export interface Target<Facts = unknown> {
  readonly name: string
  readonly url: string
  /** What the program reported about itself when it was ready. */
  readonly facts: Facts
  readonly pid: number
  /** @param collectGarbage first, so that memory is what is held rather than what is not yet swept. */
  readonly sample: (collectGarbage?: boolean) => Promise<TargetSample>
  /** Starts a new count of the event-loop lag. */
  readonly resetLag: () => void
  /** Lets it close what it opened, and ends it after ten seconds if it does not. Repeating is harmless. */
  readonly stop: () => Promise<void>
}

export interface TargetOptions {
  readonly name: string
  /** A program that calls runAsTarget: `new URL('./serve-auth.ts', import.meta.url)`. */
  readonly program: URL
  /** Handed to the program, as JSON. */
  readonly input?: unknown
  readonly env?: Readonly<Record<string, string>>
  /** More options of Node, such as `--cpu-prof`. */
  readonly nodeOptions?: readonly string[]
}

const START_TIMEOUT_MS = 120_000
const STOP_TIMEOUT_MS = 10_000
const SAMPLE_TIMEOUT_MS = 30_000

const launch = ({ program, env, nodeOptions = [] }: TargetOptions): ChildProcess =>
  fork(fileURLToPath(program), [], {
    execArgv: ['--no-warnings', '--expose-gc', ...nodeOptions],
    // Logs are written, as in production, but to nowhere; what it complains of is shown.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      PATH: process.env.PATH,
      TMPDIR: process.env.TMPDIR,
      HOME: process.env.HOME,
      NODE_ENV: 'production',
      ...env,
    },
  })

/** To a target that is dead nothing is sent (EPIPE), which is no error: it is known by its end. */
const tell = (child: ChildProcess, message: TargetRequest): void => {
  if (child.connected) child.send(message, () => undefined)
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

/** The next reply that `pick` recognizes. @throws Error when the target ends or takes too long. */
const hear = <T>(
  child: ChildProcess,
  name: string,
  timeoutMs: number,
  pick: (reply: TargetReply) => T | undefined,
) =>
  new Promise<T>((resolve, reject) => {
    const settle = (act: () => void): void => {
      clearTimeout(timer)
      child.off('message', onMessage).off('exit', onExit)
      act()
    }
    const onMessage = (reply: TargetReply): void => {
      try {
        const picked = pick(reply)
        if (picked !== undefined) settle(() => resolve(picked))
      } catch (error) {
        settle(() => reject(error instanceof Error ? error : new Error(String(error))))
      }
    }
    const onExit = (code: number | null): void =>
      settle(() => reject(new Error(`the target ${name} ended with code ${code ?? 'none'}`)))
    const onTimeout = (): void =>
      settle(() => reject(new Error(`the target ${name} said nothing for ${timeoutMs} ms`)))
    const timer = setTimeout(onTimeout, timeoutMs)
    if (hasEnded(child)) onExit(child.exitCode)
    else child.on('message', onMessage).on('exit', onExit)
  })

const stopChild = async (child: ChildProcess): Promise<void> => {
  if (hasEnded(child)) return
  const exited = once(child, 'exit')
  tell(child, { kind: 'stop' })
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
  await exited
  clearTimeout(timer)
}

/**
 * @throws Error with the program's own reason when it does not get ready; nothing is left running.
 * @example const target = await startTarget<Facts>({ name: 'auth', program: new URL('./serve-auth.ts', import.meta.url) })
 */
export const startTarget = async <Facts>(options: TargetOptions): Promise<Target<Facts>> => {
  const { name, input = {} } = options
  const child = launch(options)
  let samples = 0
  try {
    tell(child, { kind: 'start', input })
    const ready = await hear(child, name, START_TIMEOUT_MS, (reply) => {
      if (reply.kind === 'failed') throw new Error(`the target ${name} did not start: ${reply.reason}`)
      return reply.kind === 'ready' ? reply : undefined
    })
    return {
      name,
      url: ready.url,
      facts: ready.facts as Facts, // the program named by `options` and the caller agree on the shape
      pid: child.pid ?? 0,
      sample: (collectGarbage = false) => {
        const id = ++samples
        const heard = hear(child, name, SAMPLE_TIMEOUT_MS, (reply) =>
          reply.kind === 'sample' && reply.id === id ? reply.sample : undefined,
        )
        tell(child, { kind: 'sample', id, collectGarbage })
        return heard
      },
      resetLag: () => tell(child, { kind: 'reset_lag' }),
      stop: () => stopChild(child),
    }
  } catch (error) {
    await stopChild(child)
    throw error
  }
}
