/** Runs a program to its end with the terminal as its own. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** @returns the exit code; 128 + number for a signal, as a shell does. An aborted `signal` ends it with SIGKILL. */
export const runProgram = (
  file: string,
  args: readonly string[],
  {
    signal: aborted,
    ...options
  }: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv; readonly signal?: AbortSignal },
): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(file, args, { ...options, stdio: 'inherit' })
    const forward = (signal: NodeJS.Signals): void => void child.kill(signal)
    const stop = (): void => void child.kill('SIGTERM')
    process.on('SIGTERM', forward).on('SIGINT', forward).once('disconnect', stop)
    const kill = (): void => void child.kill('SIGKILL')
    aborted?.addEventListener('abort', kill, { once: true })
    child.once('error', reject)
    child.once('close', (code, signal) => {
      process.off('SIGTERM', forward).off('SIGINT', forward).off('disconnect', stop)
      aborted?.removeEventListener('abort', kill)
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]))
    })
  })
