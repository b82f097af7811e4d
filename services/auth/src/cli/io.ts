/** The terminal, as commands see it; tests put another one in its place. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text as readAll } from 'node:stream/consumers'
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

const ask = async (question: string, output: Writable, shown: boolean): Promise<string> => {
  if (!shown) process.stderr.write(question)
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  try {
    return await lines.question(shown ? question : '')
  } finally {
    lines.close()
    if (!shown) process.stderr.write('\n')
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
  ask: (question) => ask(question, process.stderr, true),
  askHidden: (question) => ask(question, new Writable({ write: (_chunk, _encoding, done) => done() }), false),
  readInput,
})
