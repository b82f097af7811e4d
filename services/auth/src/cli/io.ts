/** The terminal, as commands see it; tests put another one in its place. */
import { createInterface } from 'node:readline/promises'
import { Writable, type Readable } from 'node:stream'
import { text as readAll } from 'node:stream/consumers'
import { isNativeError } from 'node:util/types'
import { CliError, EXIT } from './cli-error.ts'

export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>
  out(text: string): void
  err(text: string): void
  /** Whether there is a person to ask. */
  readonly isInteractive: boolean
  ask(question: string): Promise<string>
  /** Without showing what is typed. */
  askHidden(question: string): Promise<string>
  readInput(): Promise<string>
}

interface Asking {
  readonly isShown: boolean
  readonly input: Readable
  readonly output: Writable
}

/** @throws CliError when the person leaves (Ctrl-C, Ctrl-D) instead of answering: every question comes before what it is about. */
export const ask = async (question: string, { isShown, input, output }: Asking): Promise<string> => {
  if (!isShown) output.write(question)
  const echo = isShown ? output : new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: echo, terminal: true })
  let isAnswered = false
  try {
    const answer = await lines.question(isShown ? question : '')
    isAnswered = true
    return answer
  } catch (error) {
    if (!isNativeError(error) || error.name !== 'AbortError') throw error
    throw new CliError('Nothing was changed.', EXIT.failed, { cause: error })
  } finally {
    lines.close()
    if (!isShown || !isAnswered) output.write('\n')
  }
}

const INPUT_CHARACTERS_MAX = 1_048_576

const readInput = async (): Promise<string> => {
  const input = await readAll(process.stdin)
  if (input.length > INPUT_CHARACTERS_MAX)
    throw new CliError(`Standard input has more than ${INPUT_CHARACTERS_MAX} characters.`, EXIT.usage)
  return input.replace(/\r?\n$/, '')
}

export const terminalIo = (): Io => ({
  env: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isInteractive: process.stdin.isTTY && process.stderr.isTTY,
  ask: (question) => ask(question, { isShown: true, input: process.stdin, output: process.stderr }),
  askHidden: (question) => ask(question, { isShown: false, input: process.stdin, output: process.stderr }),
  readInput,
})
