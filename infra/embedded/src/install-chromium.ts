/** The browser of the end-to-end tests. */
import { existsSync, globSync } from 'node:fs'
import path from 'node:path'
import { requireProgram } from './install-program.ts'

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** MERX_TEST_CHROMIUM names another one. */
export const findChromium = (): string | undefined =>
  [process.env['MERX_TEST_CHROMIUM'], ...PLACES].find((file) => file !== undefined && existsSync(file))

/** @returns the program, found or installed, or why there is none. */
export const requireChromium = (say: (line: string) => void): { program: string } | { missing: string } =>
  requireProgram(
    {
      program: 'chromium',
      find: findChromium,
      packages: { 'apt-get': 'chromium', dnf: 'chromium', apk: 'chromium' },
      timeoutMs: 600_000,
    },
    say,
  )

const BROWSER_SUITES = ['e2e/authorize.test.ts', 'e2e/console.test.ts']

/** @returns the test files that need a browser and match what was asked for, relative to `root`. */
export const findBrowserSuites = (root: string, patterns: readonly string[]): string[] =>
  globSync(BROWSER_SUITES, { cwd: root })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => patterns.length === 0 || patterns.some((pattern) => file.includes(pattern)))
