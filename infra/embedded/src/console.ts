/**
 * The console of the one-command system, opened last: its credentials name the address that browsers reach it at.
 * `console.json` of the data folder holds them, one for each environment of the demo.
 */
import { renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Provisioning } from '@merx/auth/provisioning/provisioning'
import { CALLBACK_PATH, parseApplications } from '@merx/console/applications'
import { compose } from '@merx/console/compose'
import { loadConsoleConfig } from '@merx/console/config'
import { DEMO_MODES, type DemoMode, type DemoOrganization } from './demo-file.ts'
import { OperatorError } from './operator-error.ts'
import { readIfPresent } from './read-if-present.ts'
import type { Settings } from './settings.ts'
import type { System } from './system.ts'

export interface ConsoleDeps {
  readonly settings: Settings
  readonly system: System
  readonly addresses: { readonly base_url: string; readonly auth_url: string }
  readonly organizations: readonly DemoOrganization[]
}

/** As CONSOLE_APPLICATIONS has it, and the id by which the credential is changed. */
interface ConsoleCredential {
  readonly id: string
  readonly organization: string
  readonly mode: DemoMode
  readonly client_id: string
  readonly client_secret: string
  readonly redirect_uri: string
}

export const consoleFileIn = (dataFolder: string): string => path.join(dataFolder, 'console.json')

/** @throws OperatorError when the file is there but is not what this program writes */
const readCredentials = (dataFolder: string): readonly ConsoleCredential[] => {
  const text = readIfPresent(consoleFileIn(dataFolder))
  if (text === undefined) return []
  if (!parseApplications(text).ok)
    throw new OperatorError(
      `${consoleFileIn(dataFolder)} is not a list of the console's credentials.`,
      'Remove the file: new ones are made.',
    )
  return JSON.parse(text) as readonly ConsoleCredential[]
}

/** Mode 0600, because it holds secrets; replaced in one step. */
const writeCredentials = (dataFolder: string, credentials: readonly ConsoleCredential[]): void => {
  const next = `${consoleFileIn(dataFolder)}.new`
  writeFileSync(next, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 })
  renameSync(next, consoleFileIn(dataFolder))
}

/** The known credential, moved to the address of this start, or a new one. */
const ensureCredential = async (
  provisioning: Provisioning,
  { id: organizationId, slug }: DemoOrganization,
  mode: DemoMode,
  redirectUri: string,
  known: readonly ConsoleCredential[],
): Promise<ConsoleCredential> => {
  const found = known.find(({ organization, mode: itsMode }) => organization === slug && itsMode === mode)
  if (found !== undefined) {
    if (found.redirect_uri !== redirectUri) await provisioning.updateCredential(found.id, { redirectUri })
    return { ...found, redirect_uri: redirectUri }
  }
  const made = await provisioning.createCredential({
    ...{ organizationId, mode, redirectUri },
    kind: 'webapp',
    name: 'Console',
  })
  return {
    ...{ id: made.id, organization: slug, mode },
    ...{ client_id: made.clientId, client_secret: made.clientSecret, redirect_uri: redirectUri },
  }
}

const ensureCredentials = async ({
  settings,
  system,
  addresses,
  organizations,
}: ConsoleDeps): Promise<readonly ConsoleCredential[]> => {
  const redirectUri = `${addresses.base_url}${CALLBACK_PATH}`
  const known = readCredentials(settings.dataFolder)
  const { provisioning } = system.services
  const credentials = await Promise.all(
    organizations.flatMap((organization) =>
      DEMO_MODES.map((mode) => ensureCredential(provisioning, organization, mode, redirectUri, known)),
    ),
  )
  writeCredentials(settings.dataFolder, credentials)
  return credentials
}

/** Credentials in the environment are used instead of those of the demo. */
export const openConsole = async (deps: ConsoleDeps): Promise<void> => {
  const { system, addresses } = deps
  const given = system.services.authEnvironment
  const own = given['CONSOLE_APPLICATIONS'] ?? JSON.stringify(await ensureCredentials(deps))
  const config = loadConsoleConfig({
    ...given,
    PUBLIC_AUTH_URL: given['PUBLIC_AUTH_URL'] ?? addresses.auth_url,
    CONSOLE_APPLICATIONS: own,
  })
  const console = await compose(config, { log: system.createLog('console') })
  system.closers.defer(() => console.close())
  await console.start()
  system.services.serveConsole(console.app)
}
