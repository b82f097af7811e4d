/** Where the database is: from the environment, or from the running system of `npm start`. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ConfigError } from '@merx/config/config-error'
import { integer, secret, text, url } from '@merx/config/fields'
import { loadConfig, type Config, type Environment } from '@merx/config/load-config'
import { compile } from '@merx/validation/compile'
import { configSchema } from '../config.ts'
import { CliError, EXIT } from './cli-error.ts'

const schema = {
  AUTH_DATABASE_URL: configSchema.AUTH_DATABASE_URL,
  CORE_INTERNAL_URL: url({
    protocols: ['http', 'https'],
    optional: true,
    help: 'Core, notified of organizations.',
  }),
  SERVICE_KEY: secret({ optional: true, help: 'For core, and for keys without KEY_ENCRYPTION_SECRET.' }),
  KEY_ENCRYPTION_SECRET: configSchema.KEY_ENCRYPTION_SECRET,
  SIGNING_KEY_BITS: integer({
    default: 4_096,
    min: 2_048,
    max: 8_192,
    help: 'Size of new RSA signing keys.',
  }),
  MERX_ACTOR: text({
    optional: true,
    help: 'Who acts, in the audit log. Default: the account of the machine.',
  }),
}

export type CliConfig = Config<typeof schema> & {
  /** The data folder of the running system whose address is used; absent when the environment named it. */
  readonly dataFolder?: string
}

/** Written by infra/embedded with mode 0600 while the system runs. */
interface ConnectionFile {
  readonly pid: number
  readonly environment: Readonly<Record<string, string>>
}

const checkFile = compile<ConnectionFile>({
  type: 'object',
  required: ['pid', 'environment'],
  properties: {
    pid: { type: 'integer', minimum: 1 },
    environment: { type: 'object', additionalProperties: { type: 'string' } },
  },
})

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..', '..')

const DATABASE_HINT = 'AUTH_DATABASE_URL to the database of auth'

const notRunning = (dataFolder: string, hint: string, cause?: unknown): CliError =>
  new CliError(
    `No system is running on ${dataFolder}. Start it with npm start, or set ${hint}.`,
    EXIT.failed,
    { cause },
  )

const dataFolderOf = (env: Environment): string => path.resolve(ROOT, env['MERX_DATA_DIR'] || '.merx')

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const parseFile = (content: string): unknown => {
  try {
    return JSON.parse(content)
  } catch {
    return undefined // as a full disk leaves it: the check refuses it
  }
}

const readConnectionFile = (dataFolder: string, hint: string): ConnectionFile => {
  const file = path.join(dataFolder, 'connection.json')
  let content: string
  try {
    content = readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') throw notRunning(dataFolder, hint, error)
    throw new CliError(
      `${file} cannot be read (${code ?? 'unknown'}): only the account that runs the system may.`,
    )
  }
  const result = checkFile(parseFile(content))
  if (!result.ok) throw new CliError(`${file} is damaged: stop the system and start it again.`)
  if (!isAlive(result.value.pid)) throw notRunning(dataFolder, hint)
  return result.value
}

const load = (env: Environment): Config<typeof schema> => {
  try {
    return loadConfig(schema, env)
  } catch (error) {
    if (error instanceof ConfigError) throw new CliError(error.violations.join('\n'), EXIT.usage)
    throw error
  }
}

/**
 * What the system that `npm start` runs tells. Throws CliError when none does.
 *
 * @param hint the variable to set instead, and to what
 */
export const readSystemEnvironment = (env: Environment, hint: string): Environment =>
  readConnectionFile(dataFolderOf(env), hint).environment

/** The second names a file that holds the first, as containers have it. */
const DATABASE_VARIABLES = ['AUTH_DATABASE_URL', 'AUTH_DATABASE_URL_FILE']

/** @throws CliError when nothing says where the database is, or says it wrongly. */
export const loadCliConfig = (env: Environment): CliConfig => {
  if (DATABASE_VARIABLES.some((name) => (env[name] ?? '') !== '')) return load(env)
  const dataFolder = dataFolderOf(env)
  const { environment } = readConnectionFile(dataFolder, DATABASE_HINT)
  return { ...load({ ...env, ...environment }), dataFolder }
}

/** What to say when the database does not answer. */
export const explainUnavailable = ({ dataFolder }: CliConfig, cause: unknown): CliError =>
  dataFolder === undefined
    ? new CliError('The database of AUTH_DATABASE_URL does not answer.', EXIT.failed, { cause })
    : notRunning(dataFolder, DATABASE_HINT, cause)
