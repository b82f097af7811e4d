/** The gateway of the tests that run production's own. */
import { existsSync, globSync } from 'node:fs'
import path from 'node:path'
import { requireProgram } from './install-program.ts'

/** Debian keeps it out of the PATH of ordinary accounts. */
const PLACES = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx']

export const findNginx = (): string | undefined => PLACES.find((file) => existsSync(file))

/** @returns the program, found or installed, or why there is none. */
export const requireNginx = (say: (line: string) => void): { program: string } | { missing: string } =>
  requireProgram(
    {
      program: 'nginx',
      find: findNginx,
      packages: { 'apt-get': 'nginx-light', dnf: 'nginx-core', apk: 'nginx' },
      timeoutMs: 300_000,
    },
    say,
  )

const NGINX_SUITES = [
  'e2e/gateway/*.test.ts',
  'e2e/faults/*.test.ts',
  'e2e/operations/restore-behind-metrics.long.test.ts',
  'e2e/operations/upgrade.long.test.ts',
  'e2e/operations/telemetry.test.ts',
]

/** @returns the test files that need nginx and match what was asked for, relative to `root`. */
export const findNginxSuites = (root: string, patterns: readonly string[]): string[] =>
  globSync(NGINX_SUITES, { cwd: root })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => patterns.length === 0 || patterns.some((pattern) => file.includes(pattern)))
