/** How Stryker runs one part of an area: MERX_MUTATION_PART says which, as `states/3`. */
import path from 'node:path'
import { AREAS } from './src/areas.ts'

const [name, at] = (process.env.MERX_MUTATION_PART ?? '').split('/')
const part = AREAS.find((area) => area.name === name)?.parts[at]
if (part === undefined) throw new Error('MERX_MUTATION_PART names no part of infra/mutation/src/areas.ts')

/** Jest looks for tests in these folders alone, which halves what a mutant takes. */
const folderOf = (glob) => path.dirname(`${glob.split(/[*{]/)[0]}.`)

const SCRATCH = '.merx/mutation'

export default {
  mutate: [...part.files, '!**/*.test.ts'],
  testRunner: 'jest',
  plugins: [
    import.meta.resolve('@stryker-mutator/jest-runner'),
    import.meta.resolve('./src/ignore-declarations.js'),
  ],
  ignorers: ['declarations'],
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  jest: {
    projectType: 'custom',
    configFile: 'infra/mutation/jest.config.js',
    config: {
      roots: [...new Set(part.tests.map((glob) => `<rootDir>/${folderOf(glob)}`))],
      testMatch: part.tests.map((glob) => `<rootDir>/${glob}`),
    },
    enableFindRelatedTests: false,
  },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  // Modules of finished runs are never freed.
  maxTestRunnerReuse: 100,
  // A machine that is busy with other things must not count as a loop without end.
  timeoutMS: 30_000,
  reporters: ['json', 'progress-append-only'],
  jsonReporter: { fileName: `${SCRATCH}/${name}-${at}.json` },
  incremental: true,
  incrementalFile: `${SCRATCH}/${name}-${at}.incremental.json`,
  tempDirName: `${SCRATCH}/sandbox-${name}-${at}`,
  ignorePatterns: [
    '.merx',
    'bench',
    'docs',
    'e2e',
    'examples',
    'infra/k8s',
    'services/console',
    'services/metrics',
  ],
  disableTypeChecks: false,
  warnings: { unknownOptions: false },
}
