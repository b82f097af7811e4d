/** The error of an invalid environment, with all violations: each names the variable and what is allowed. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly violations: readonly string[]

  constructor(violations: readonly string[]) {
    const lines = violations.map((violation) => `  - ${violation}`).join('\n')
    super(`the configuration is not valid:\n${lines}`)
    this.violations = violations
  }
}
