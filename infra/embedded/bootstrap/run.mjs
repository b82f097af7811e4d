/** Runs the project's Node as a child whose signals and exit code pass through this process. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import path from 'node:path'
import { onNpmGone } from './npm-parent.mjs'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

export const run = (root, node, args) =>
  new Promise((resolve, reject) => {
    const child = spawn(node, args, {
      cwd: root,
      env: environment(root),
      // The fourth stream is a channel that closes when this process ends, however it ends: the child stops then.
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    })
    const forward = (signal) => child.kill(signal)
    for (const signal of SIGNALS) process.on(signal, forward)
    onNpmGone(() => child.kill('SIGTERM'))
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      for (const name of SIGNALS) process.off(name, forward)
      resolve(code ?? 128 + (constants.signals[signal] ?? 0))
    })
  })

const environment = (root) => {
  const bin = path.join(root, 'node_modules', '.bin')
  const env = {
    // Node stores what it made of the TypeScript files: a start spends a third less processor time.
    NODE_COMPILE_CACHE: path.join(root, 'node_modules', '.cache', 'node'),
    ...process.env,
    PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}`,
  }
  // A relative data folder means relative to where the command was typed, and the child runs in the root.
  if (env.MERX_DATA_DIR) env.MERX_DATA_DIR = path.resolve(env.MERX_DATA_DIR)
  return env
}
