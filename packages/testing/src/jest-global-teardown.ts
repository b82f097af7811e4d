/** Jest's globalTeardown of the http and db projects: stops what jest-global-setup.ts started. */
import { SERVERS } from './jest-global-setup.ts'
import type { TestServers } from './test-servers.ts'

const tearDown = async (): Promise<void> => {
  await (globalThis as { [SERVERS]?: TestServers })[SERVERS]?.stop()
}

// Jest takes the tear-down function from the default export.
// eslint-disable-next-line import-x/no-default-export
export default tearDown
