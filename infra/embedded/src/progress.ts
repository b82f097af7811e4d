/** The progress of a start on the terminal: one line per step, with the seconds since the beginning. */

export interface Progress {
  readonly step: (message: string) => void
}

const SECONDS_WIDTH = 5

export const createProgress = (
  write: (line: string) => void = (line) => void process.stdout.write(line),
): Progress => {
  const startedAt = performance.now()
  return {
    step: (message) => {
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1).padStart(SECONDS_WIDTH)
      write(`merx ${seconds} s  ${message}\n`)
    },
  }
}
