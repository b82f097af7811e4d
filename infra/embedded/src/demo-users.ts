/**
 * `demo-users.json` of the data folder: who can sign in on the authorize page. Written before the users are made, so
 * that an interrupted start does not leave users whose passwords nobody knows.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { OperatorError } from './operator-error.ts'

export interface DemoUser {
  /** Slug of the organization. */
  readonly organization: string
  readonly email: string
  readonly password: string
}

const PASSWORD_BYTES = 18

export const demoUsersFileIn = (dataFolder: string): string => path.join(dataFolder, 'demo-users.json')

const isDemoUser = (value: unknown): value is DemoUser =>
  value !== null &&
  typeof value === 'object' &&
  ['organization', 'email', 'password'].every(
    (name) => typeof (value as Record<string, unknown>)[name] === 'string',
  )

/**
 * @returns none when there is no such file
 * @throws OperatorError when the file is there but is not what this program writes
 */
export const readDemoUsers = (dataFolder: string): readonly DemoUser[] => {
  const file = demoUsersFileIn(dataFolder)
  try {
    const value = JSON.parse(readFileSync(file, 'utf8')) as unknown
    if (Array.isArray(value) && value.every(isDemoUser)) return value
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new OperatorError(
    `${file} is not a list of demo users.`,
    'Put the file back from a copy, or start again with: npm run reset',
  )
}

/** The owner of each organization, with the password of the file or a new one. Mode 0600: it holds passwords. */
export const ensureDemoUsers = (dataFolder: string, slugs: readonly string[]): readonly DemoUser[] => {
  const known = readDemoUsers(dataFolder)
  const users = slugs.map(
    (organization) =>
      known.find((user) => user.organization === organization) ?? {
        organization,
        email: `owner@${organization}.example`,
        password: randomBytes(PASSWORD_BYTES).toString('base64url'),
      },
  )
  const file = demoUsersFileIn(dataFolder)
  writeFileSync(`${file}.new`, `${JSON.stringify(users, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return users
}
