/** The console of the one-command system, opened last: its credentials name the address that browsers reach it at. */
import { compose } from '@merx/console/compose'
import { loadConsoleConfig } from '@merx/console/config'
import { ensureConsoleCredentials } from './console-credentials.ts'
import type { DemoOrganization } from './demo-file.ts'
import type { Settings } from './settings.ts'
import type { System } from './system.ts'

export interface ConsoleDeps {
  readonly settings: Settings
  readonly system: System
  readonly closers: AsyncDisposableStack
  readonly addresses: { readonly base_url: string; readonly auth_url: string }
  readonly organizations: readonly DemoOrganization[]
}

/** Credentials in the environment are used instead of those of the demo. */
export const openConsole = async ({
  settings,
  system,
  closers,
  addresses,
  organizations,
}: ConsoleDeps): Promise<void> => {
  const { services, createLog } = system
  const given = services.authEnvironment
  const makeOwn = () =>
    ensureConsoleCredentials({
      provisioning: services.provisioning,
      dataFolder: settings.dataFolder,
      baseUrl: addresses.base_url,
      organizations,
    })
  const config = loadConsoleConfig({
    ...given,
    PUBLIC_AUTH_URL: given['PUBLIC_AUTH_URL'] ?? addresses.auth_url,
    CONSOLE_APPLICATIONS: given['CONSOLE_APPLICATIONS'] ?? JSON.stringify(await makeOwn()),
  })
  await services.serveConsole(await compose(config, { log: createLog('console') }), closers)
}
