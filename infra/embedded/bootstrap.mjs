/**
 * Entry of `npm start`, `npm test`, `npm run demo` and the rest, on a machine that has only Node 20+ and npm.
 * Plain JavaScript without dependencies, because nothing is installed yet when it begins: it installs what is
 * missing, generates the Prisma clients, builds the console's page, then hands over to the project's own Node with the TypeScript entry.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Failure, report } from './bootstrap/failure.mjs'
import { buildConsolePage } from './bootstrap/build-console-page.mjs'
import { generateClients } from './bootstrap/generate.mjs'
import { install } from './bootstrap/install.mjs'
import { run } from './bootstrap/run.mjs'

const NODE_MAJOR_MIN = 20

/** What each command runs; `install` stops after the preparation. */
const ENTRIES = {
  start: 'infra/embedded/src/start.ts',
  test: 'infra/embedded/src/test-runner.ts',
  reset: 'infra/embedded/src/reset.ts',
  demo: 'infra/embedded/src/demo.ts',
  check: 'infra/embedded/src/check.ts',
  merx: 'services/auth/src/cli/merx.ts',
  gen: 'infra/embedded/src/generate.ts',
  bench: 'bench/main.ts',
  load: 'bench/load.ts',
  faults: 'e2e/faults/main.ts',
  histories: 'e2e/faults/history/main.ts',
  upgrade: 'e2e/upgrade/main.ts',
  mutate: 'infra/mutation/main.ts',
  security: 'infra/security/src/main.ts',
  install: undefined,
}

/**
 * Options of Node. V8 keeps the pages of its young generation for good: with the usual size 70 MB more after a start, in a process
 * that mostly waits.
 */
const NODE_OPTIONS = { start: ['--max-semi-space-size=16'] }

const main = async () => {
  const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..')
  const [command = '', ...args] = process.argv.slice(2)
  const major = Number(process.versions.node.split('.')[0])
  if (major < NODE_MAJOR_MIN) {
    throw new Failure(
      `Merx needs Node ${NODE_MAJOR_MIN} or newer to begin with, and this is Node ${process.versions.node}.`,
      'Install a current Node from https://nodejs.org and run the command again.',
    )
  }
  if (!Object.hasOwn(ENTRIES, command)) {
    const known = Object.keys(ENTRIES).join(', ')
    throw new Failure(`There is no command "${command}".`, `Known commands: ${known}.`)
  }
  const node = await install(root)
  await Promise.all([generateClients(root, node), buildConsolePage(root, node)])
  const entry = ENTRIES[command]
  if (entry === undefined) return 0
  if (!existsSync(path.join(root, entry))) {
    throw new Failure(`${entry} is missing.`, 'This copy of the project is incomplete: clone it again.')
  }
  return run(root, node, [...(NODE_OPTIONS[command] ?? []), path.join(root, entry), ...args])
}

main().then(
  (code) => {
    process.exitCode = code
  },
  (error) => {
    process.exitCode = report(error)
  },
)
