/** Ends what the set-up started, by its process, and removes its data folder. */
import { rm } from 'node:fs/promises'
import type { EndToEndGlobals } from './global-setup.ts'

const globalTeardown = async (): Promise<void> => {
  const globals = globalThis as EndToEndGlobals
  const system = globals.merxSystem
  if (system === undefined) return
  await globals.merxGateway?.stop()
  await system.stop('SIGTERM')
  await rm(system.dataDir, { recursive: true, force: true })
}

// eslint-disable-next-line import-x/no-default-export -- Jest calls the default export
export default globalTeardown
