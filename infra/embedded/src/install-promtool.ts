/** Prometheus's own tool for its rules. Taken out of Debian's package: installing that would start a Prometheus. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const UNPACKED = path.resolve(import.meta.dirname, '../../../node_modules/.cache/merx/promtool')
const PLACES = ['/usr/bin/promtool', '/usr/local/bin/promtool', '/opt/homebrew/bin/promtool', UNPACKED]
const TIMEOUT_MS = 300_000

export const findPromtool = (): string | undefined => PLACES.find((file) => existsSync(file))

const run = (cwd: string, file: string, ...args: readonly string[]): boolean =>
  spawnSync(file, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'], timeout: TIMEOUT_MS }).status === 0

/** Lists of packages may be missing (new containers) or old: then they are read first, which only root may do. */
const download = (folder: string): boolean =>
  run(folder, 'apt-get', 'download', '-qq', 'prometheus') ||
  (run(folder, 'apt-get', 'update', '-qq') && run(folder, 'apt-get', 'download', '-qq', 'prometheus'))

/** @returns the program, found or unpacked, or why there is none. */
export const requirePromtool = (say: (line: string) => void): { program: string } | { missing: string } => {
  const found = findPromtool()
  if (found !== undefined) return { program: found }
  const absent = 'there is no promtool on this machine'
  const folder = mkdtempSync(path.join(tmpdir(), 'merx-promtool-'))
  try {
    say(`${absent}: taking it out of Debian's package prometheus`)
    if (!download(folder)) return { missing: `${absent}, and apt-get could not download prometheus` }
    const [file] = globSync('prometheus_*.deb', { cwd: folder })
    if (file === undefined || !run(folder, 'dpkg-deb', '-x', file, 'unpacked'))
      return { missing: `${absent}, and the package prometheus could not be unpacked` }
    mkdirSync(path.dirname(UNPACKED), { recursive: true })
    copyFileSync(path.join(folder, 'unpacked/usr/bin/promtool'), UNPACKED)
    return { program: UNPACKED }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Tests that cannot run without it, relative to the root. */
export const PROMTOOL_SUITES = ['e2e/operations/alerts.long.test.ts']
