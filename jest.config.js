/**
 * Kinds of tests, each a project, so that `jest --selectProjects unit` needs no server at all.
 *  unit  beside the source, pure
 *  http  services/<name>/test/http, in process
 *  db    {packages,services}/<name>/test/db, on real PostgreSQL, Redis and the real analytics engine
 *  systems  folders of e2e/ whose files start systems or gateways of their own, so that they need not wait for each other
 *  e2e   the whole system as `npm start` runs it, one for all files
 */
const typescript = {
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '<rootDir>/packages/testing/strip-types.mjs' },
  testEnvironment: 'node',
  modulePathIgnorePatterns: ['<rootDir>/.merx'],
}

const servers = {
  globalSetup: '<rootDir>/packages/testing/src/jest-global-setup.ts',
  globalTeardown: '<rootDir>/packages/testing/src/jest-global-teardown.ts',
}

const SYSTEMS = 'e2e/{faults,gateway,operations,upgrade}/**/*.test.ts'

export default {
  projects: [
    {
      ...typescript,
      displayName: 'unit',
      testMatch: [
        '<rootDir>/{packages,services,infra}/**/{src,gen}/**/*.test.ts',
        '<rootDir>/services/core/demo/**/*.test.ts',
      ],
    },
    {
      ...typescript,
      ...servers,
      displayName: 'http',
      testMatch: ['<rootDir>/{packages,services}/*/test/http/**/*.test.ts'],
    },
    {
      ...typescript,
      ...servers,
      displayName: 'db',
      testMatch: ['<rootDir>/{packages,services,infra}/*/test/db/**/*.test.ts'],
    },
    {
      ...typescript,
      displayName: 'systems',
      testMatch: [`<rootDir>/${SYSTEMS}`],
    },
    {
      ...typescript,
      displayName: 'e2e',
      testMatch: ['<rootDir>/e2e/**/*.test.ts', `!**/${SYSTEMS}`],
      globalSetup: '<rootDir>/e2e/global-setup.ts',
      globalTeardown: '<rootDir>/e2e/global-teardown.ts',
    },
  ],
  // Modules of finished files are never freed, and a collection of 5 GB of them takes longer than a new process.
  workerIdleMemoryLimit: '1GB',
  // So much longer than a test takes that whoever waits this long waits for ever, however busy the machine is.
  testTimeout: 120_000,
}
