/** The unit tests of one area; Stryker adds which. Laws are left out: 2,000 orders for each mutant take too long, and examples must do. */
import jest from '../../jest.config.js'

const { displayName: _name, testMatch: _files, ...unit } = jest.projects[0]

export default {
  ...unit,
  rootDir: '../..',
  testTimeout: 20_000,
  testPathIgnorePatterns: ['\\.laws\\.test\\.ts$'],
}
