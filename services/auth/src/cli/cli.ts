/** The context of every command: the terminal, the common options, the database. */
import type { Command } from '@commander-js/extra-typings'
import { LISTED_MAX } from '../provisioning/find-records.ts'
import { CliError, EXIT } from './cli-error.ts'
import type { Io } from './io.ts'
import { renderFields, renderJson, renderTable, type Row } from './print.ts'
import { withSession, type Session } from './session.ts'

// A type, not an interface: commander asks for an index signature, which only types have.
export type GlobalOptions = {
  json?: true | undefined
  yes?: true | undefined
}

export type RootCommand = Command<[], GlobalOptions>

export interface Cli {
  readonly io: Io
  /** Gives commands their database; it is closed afterwards. */
  run(work: (session: Session) => Promise<void>): Promise<void>
  /** `flat` is for people, `full` for --json. That there may be more is said on standard error, to scripts too. */
  list(full: readonly unknown[], flat: readonly Row[]): void
  show(full: unknown, flat: Row): void
  /** A sentence for people; nothing with --json. */
  say(text: string): void
  /** @throws CliError unless --yes was given or the person agrees. */
  confirm(question: string): Promise<void>
}

export const createCli = (io: Io, options: () => GlobalOptions): Cli => {
  const isJson = (): boolean => options().json === true
  return {
    io,
    run: (work) => withSession(io, work),
    list: (full, flat) => {
      io.out(isJson() ? renderJson(full) : renderTable(flat))
      if (full.length >= LISTED_MAX) io.err(`merx: These are the first ${LISTED_MAX}; there may be more.\n`)
    },
    show: (full, flat) => io.out(isJson() ? renderJson(full) : renderFields(flat)),
    say: (text) => {
      if (!isJson()) io.err(`${text}\n`)
    },
    confirm: async (question) => {
      if (options().yes === true) return
      if (!io.isInteractive)
        throw new CliError(`${question} There is no terminal to ask on: repeat it with --yes.`, EXIT.usage)
      const answer = await io.ask(`${question} [y/N] `)
      if (!/^y(es)?$/i.test(answer.trim())) throw new CliError('Nothing was changed.')
    },
  }
}

/** Help that ends with examples. */
export const examples = (...lines: readonly string[]): string =>
  `\nExamples:\n${lines.map((line) => `  merx ${line}`).join('\n')}\n`
