/** `console.json` of the data folder: the credentials that the console signs users in with, one for each environment. */
import { renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Provisioning } from '@merx/auth/provisioning/provisioning'
import { CALLBACK_PATH, parseApplications } from '@merx/console/applications'
import { DEMO_MODES, type DemoMode, type DemoOrganization } from './demo-file.ts'
import { OperatorError } from './operator-error.ts'
import { readIfPresent } from './read-if-present.ts'

/** As CONSOLE_APPLICATIONS has it. */
export interface ConsoleCredential {
  readonly organization: string
  readonly mode: DemoMode
  readonly client_id: string
  readonly client_secret: string
  readonly redirect_uri: string
}

export interface ConsoleCredentialsDeps {
  readonly provisioning: Pick<Provisioning, 'createCredential' | 'findCredential' | 'updateCredential'>
  readonly dataFolder: string
  /** Where browsers reach the console in this run. */
  readonly baseUrl: string
  readonly organizations: readonly Pick<DemoOrganization, 'id' | 'slug'>[]
}

export const consoleFileIn = (dataFolder: string): string => path.join(dataFolder, 'console.json')

/** @throws OperatorError when the file is there but is not what this program writes */
const readCredentials = (dataFolder: string): readonly ConsoleCredential[] => {
  const text = readIfPresent(consoleFileIn(dataFolder))
  if (text === undefined) return []
  if (parseApplications(text).ok) return JSON.parse(text) as readonly ConsoleCredential[]
  throw new OperatorError(
    `${consoleFileIn(dataFolder)} is not a list of the console's credentials.`,
    'Remove the file: new ones are made.',
  )
}

/** Mode 0600, because it holds secrets; replaced in one step. */
const writeCredentials = (dataFolder: string, credentials: readonly ConsoleCredential[]): void => {
  const next = `${consoleFileIn(dataFolder)}.new`
  writeFileSync(next, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 })
  renameSync(next, consoleFileIn(dataFolder))
}

/** The known credential, moved to the address of this run, or a new one when auth does not know it. */
const ensureCredential = async (
  { provisioning, baseUrl }: ConsoleCredentialsDeps,
  { id: organizationId, slug }: Pick<DemoOrganization, 'id' | 'slug'>,
  mode: DemoMode,
  known: ConsoleCredential | undefined,
): Promise<ConsoleCredential> => {
  const redirectUri = `${baseUrl}${CALLBACK_PATH}`
  const found = known && (await provisioning.findCredential(known.client_id))
  if (known !== undefined && found?.organization.id === organizationId) {
    if (found.redirectUri !== redirectUri) await provisioning.updateCredential(found.id, { redirectUri })
    return { ...known, redirect_uri: redirectUri }
  }
  const made = await provisioning.createCredential({
    ...{ organizationId, mode, redirectUri },
    kind: 'webapp',
    name: 'Console',
  })
  return {
    ...{ organization: slug, mode, client_id: made.clientId, client_secret: made.clientSecret },
    redirect_uri: redirectUri,
  }
}

export const ensureConsoleCredentials = async (
  deps: ConsoleCredentialsDeps,
): Promise<readonly ConsoleCredential[]> => {
  const known = readCredentials(deps.dataFolder)
  const credentials = await Promise.all(
    deps.organizations.flatMap((organization) =>
      DEMO_MODES.map((mode) =>
        ensureCredential(
          deps,
          organization,
          mode,
          known.find((each) => each.organization === organization.slug && each.mode === mode),
        ),
      ),
    ),
  )
  writeCredentials(deps.dataFolder, credentials)
  return credentials
}
