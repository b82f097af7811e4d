/** Runs a program to its end with the terminal as its own. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** @returns the exit code; 128 + number for a signal, as a shell does. */
export const runProgram = (
  file: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(file, args, { ...options, stdio: 'inherit' })
    const forward = (signal: NodeJS.Signals): void => void child.kill(signal)
    const stop = (): void => void child.kill('SIGTERM')
    process.on('SIGTERM', forward).on('SIGINT', forward).once('disconnect', stop)
    child.once('error', reject)
    child.once('close', (code, signal) => {
      process.off('SIGTERM', forward).off('SIGINT', forward).off('disconnect', stop)
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]))
    })
  })
