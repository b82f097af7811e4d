/** Keys that the parts of this system use among themselves: made once, stored with the data, never shown. */
import { randomBytes } from 'node:crypto'
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { OperatorError } from './operator-error.ts'
import { readIfPresent } from './read-if-present.ts'

export interface LocalSecrets {
  /** Between the services. */
  readonly serviceKey: string
  /** Of the private PostgreSQL. */
  readonly postgresPassword: string
  /** What core's public ids are made with: belongs to the data, so the environment does not overrule it. */
  readonly idSecret: string
}

const SECRET_BYTES = 32
const NAMES = {
  serviceKey: 'service_key',
  postgresPassword: 'postgres_password',
  idSecret: 'id_secret',
} as const

/** What a start makes after the secrets, so that it cannot be without them unless they were lost. */
const DATA = ['postgres', 'analytics', 'demo.json', 'demo-users.json', 'postgres.log']

const fileIn = (dataFolder: string): string => path.join(dataFolder, 'secrets.json')

/**
 * Call it before anything is written.
 * @throws OperatorError when the folder has data and no secrets: new ones would not open it, and would change every id.
 */
export const requireSecretsOfData = (dataFolder: string): void => {
  const found = DATA.find((name) => existsSync(path.join(dataFolder, name)))
  if (found === undefined || existsSync(fileIn(dataFolder))) return
  throw new OperatorError(
    `${dataFolder} has data (${found}) and no secrets.json, which its passwords and ids were made with.`,
    'Put secrets.json back from a copy, or start with no data: npm run reset',
  )
}

/**
 * Reads `secrets.json` of the data folder, or makes it (mode 0600).
 * @throws OperatorError when the file is there but is not what this program writes, or is missing although there is data.
 */
export const loadSecrets = (dataFolder: string): LocalSecrets => {
  requireSecretsOfData(dataFolder)
  const file = fileIn(dataFolder)
  const text = readIfPresent(file)
  if (text !== undefined) return parseSecrets(text, file)
  const fresh = { service_key: newSecret(), postgres_password: newSecret(), id_secret: newSecret() }
  writeFileSync(`${file}.new`, `${JSON.stringify(fresh, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return {
    serviceKey: fresh.service_key,
    postgresPassword: fresh.postgres_password,
    idSecret: fresh.id_secret,
  }
}

const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url')

const parseSecrets = (text: string, file: string): LocalSecrets => {
  const values = parseObject(text)
  if (values !== undefined && NAMES.serviceKey in values && !(NAMES.idSecret in values)) {
    throw new OperatorError(
      `${file} has no "${NAMES.idSecret}": this data is of an earlier version, whose ids anybody could compute.`,
      'Its ids cannot be kept. Start again with: npm run reset',
    )
  }
  const take = (name: string): string => {
    const value = values?.[name]
    if (typeof value === 'string' && value.length >= SECRET_BYTES) return value
    throw new OperatorError(
      `${file} has no usable "${name}".`,
      'Put the file back from a copy, or start again with: npm run reset',
    )
  }
  return {
    serviceKey: take(NAMES.serviceKey),
    postgresPassword: take(NAMES.postgresPassword),
    idSecret: take(NAMES.idSecret),
  }
}

const parseObject = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined // reported by the caller, which knows the file
  }
}
