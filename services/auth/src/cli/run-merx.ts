/** Arguments → the command → an exit code. */
import { Command } from '@commander-js/extra-typings'
import { AppError, AppErrors } from '@merx/errors/app-error'
import { CommanderError, InvalidArgumentError } from 'commander'
import { ForeignSecret, NoActiveKey } from '../keys/rotation.ts'
import { CliError, EXIT, type ExitCode } from './cli-error.ts'
import { createCli, examples } from './cli.ts'
import { addAuditCommand } from './commands/audit.ts'
import { addCredentialCommands } from './commands/credentials.ts'
import { addKeyCommands } from './commands/keys.ts'
import { addMetricsCommands } from './commands/metrics.ts'
import { addOrganizationCommands } from './commands/organizations.ts'
import { addRoleCommands } from './commands/roles.ts'
import { addSettingCommands } from './commands/settings.ts'
import { addTokenCommands } from './commands/tokens.ts'
import { addUserCommands } from './commands/users.ts'
import { addWebhookCommands } from './commands/webhooks.ts'
import type { Io } from './io.ts'
import { renderJson } from './print.ts'

const buildProgram = (io: Io, problems: string[], isJson: boolean) => {
  const program = new Command('merx')
    .description(
      'Organizations and their settings, users, roles, credentials, keys, tokens, webhooks and the analytics store of Merx.',
    )
    .option('--json', 'results (and errors) as JSON')
    .option('--yes', 'do not ask before something that cannot be undone')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => io.out(text),
      writeErr: (text) => (isJson ? undefined : io.err(text)), // help, where a command is missing
      outputError: (text) => void problems.push(text.replace(/^error: /, '').trimEnd()),
    })
    .exitOverride()
    .showHelpAfterError(isJson ? false : '(add --help for what is allowed)')
    .addHelpText(
      'after',
      examples(
        'organizations create --slug my-shop --name "My shop"',
        'credentials create my-shop --mode test --kind sales_channel --name Storefront',
        'credentials list --json',
        'audit --organization my-shop',
      ) +
        '\nExit codes: 0 done, 1 it did not work, 2 it was asked for wrongly.\n' +
        'The database is that of AUTH_DATABASE_URL, else that of the system npm start runs.\n',
    )
  const cli = createCli(io, () => program.opts())
  addOrganizationCommands(program, cli)
  addUserCommands(program, cli)
  addRoleCommands(program, cli)
  addCredentialCommands(program, cli)
  addKeyCommands(program, cli)
  addTokenCommands(program, cli)
  addAuditCommand(program, cli)
  addMetricsCommands(program, cli)
  addWebhookCommands(program, cli)
  addSettingCommands(program, cli)
  return program
}

interface Failure {
  readonly exitCode: ExitCode
  readonly errors: readonly { readonly code: string; readonly detail: string }[]
}

const ofAppErrors = (errors: readonly AppError[]): Failure => ({
  exitCode: errors.some(({ code }) => code === 'validation_error') ? EXIT.usage : EXIT.failed,
  errors: errors.map(({ code, detail, title }) => ({ code, detail: detail ?? title })),
})

/** A defect is printed with its stack. */
const ofDefect = (error: unknown): Failure => {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const detail = `this is a defect, or a problem it does not know:\n${text}`
  return { exitCode: EXIT.failed, errors: [{ code: 'internal_error', detail }] }
}

const explain = (error: unknown): Failure => {
  if (error instanceof AppErrors) return ofAppErrors(error.errors)
  if (error instanceof AppError) return ofAppErrors([error])
  if (error instanceof CliError)
    return {
      exitCode: error.exitCode,
      errors: [{ code: error.exitCode === 2 ? 'usage' : 'failed', detail: error.message }],
    }
  if (error instanceof InvalidArgumentError)
    return { exitCode: EXIT.usage, errors: [{ code: 'usage', detail: error.message }] }
  if (error instanceof NoActiveKey) {
    const detail = 'There is no signing key yet: the service makes the first one when it starts.'
    return { exitCode: EXIT.failed, errors: [{ code: 'no_active_key', detail }] }
  }
  if (error instanceof ForeignSecret) {
    const detail =
      'The secret at hand is not the one the service seals its keys with: set KEY_ENCRYPTION_SECRET, or SERVICE_KEY when the service has none, to its value.'
    return { exitCode: EXIT.failed, errors: [{ code: 'foreign_secret', detail }] }
  }
  return ofDefect(error)
}

/** @returns 0 done, 1 it did not work, 2 it was asked for wrongly. */
export const runMerx = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const isJson = args.includes('--json')
  const problems: string[] = []
  const tell = ({ errors, exitCode }: Failure): ExitCode => {
    if (isJson) io.err(renderJson({ errors }))
    else for (const { detail } of errors) io.err(`merx: ${detail}\n`)
    return exitCode
  }
  try {
    const program = buildProgram(io, problems, isJson)
    await program.parseAsync([...args], { from: 'user' })
    return EXIT.done
  } catch (error) {
    if (error instanceof CommanderError && !(error instanceof InvalidArgumentError)) {
      if (error.exitCode === 0) return EXIT.done // --help
      // Without a problem a command is missing, for which people have been shown the help.
      if (problems.length === 0 && !isJson) return EXIT.usage
      const details = problems.length === 0 ? ['a command is missing; --help lists them'] : problems
      return tell({ exitCode: EXIT.usage, errors: details.map((detail) => ({ code: 'usage', detail })) })
    }
    return tell(explain(error))
  }
}
