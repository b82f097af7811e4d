/** A real browser for the pages. Without one the suite fails and says what is missing; it never passes unseen. */
import { findChromium } from '@merx/embedded/src/install-chromium.ts'
import { chromium, type Browser } from 'playwright-core'

const LAUNCH_TIMEOUT_MS = 20_000

export const launchBrowser = async (): Promise<Browser> => {
  const executablePath = findChromium()
  if (executablePath === undefined) {
    throw new Error(
      'these tests need Chromium: apt-get install chromium, or name one in MERX_TEST_CHROMIUM; npm test installs it as root',
    )
  }
  return chromium.launch({
    executablePath,
    headless: true,
    timeout: LAUNCH_TIMEOUT_MS,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
      // Whatever a page leads to, no test asks anyone but this machine.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
    ],
  })
}
