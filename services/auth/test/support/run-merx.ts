/** The command line in this process, on the database of a test system. */
import type { Io } from '../../src/cli/io.ts'
import { runMerx } from '../../src/cli/run-merx.ts'
import { SERVICE_KEY, type TestSystem } from './auth-system.ts'

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
  /** Questions a person at the terminal was asked. */
  readonly asked: readonly string[]
}

export interface RunOptions {
  /** What a person at a terminal says; without it there is no terminal. */
  readonly answer?: string
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
}

export interface Merx {
  readonly run: (args: readonly string[], options?: RunOptions) => Promise<Ran>
  /** The result of a command that must work, with --json and --yes. */
  readonly json: <T>(args: readonly string[], input?: string) => Promise<T>
}

export const environmentOf = ({ databaseUrl, core }: TestSystem): Record<string, string> => ({
  AUTH_DATABASE_URL: databaseUrl,
  SERVICE_KEY,
  SIGNING_KEY_BITS: '2048',
  CORE_INTERNAL_URL: core.url,
  MERX_ACTOR: 'ann',
})

export const merxOn = (system: () => TestSystem): Merx => {
  const run: Merx['run'] = async (args, { answer, env = {}, input = '' } = {}) => {
    const texts = { out: '', err: '' }
    const asked: string[] = []
    const io: Io = {
      env: { ...environmentOf(system()), ...env },
      out: (text) => void (texts.out += text),
      err: (text) => void (texts.err += text),
      isInteractive: answer !== undefined,
      ask: (question) => {
        asked.push(question)
        return Promise.resolve(answer ?? '')
      },
      askHidden: () => Promise.reject(new Error('nobody asks for a password here')),
      readInput: () => Promise.resolve(input.replace(/\r?\n$/, '')),
    }
    return { code: await runMerx(args, io), ...texts, asked }
  }
  return {
    run,
    json: async <T>(args: readonly string[], input?: string): Promise<T> => {
      const ran = await run([...args, '--json', '--yes'], input === undefined ? {} : { input })
      if (ran.code !== 0) throw new Error(`merx ${args.join(' ')} ended with ${ran.code}: ${ran.err}`)
      return JSON.parse(ran.out) as T
    },
  }
}
