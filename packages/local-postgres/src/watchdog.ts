/**
 * Stops a server when this process disappears without a word (kill -9, out of memory). The watchdog is a shell
 * that waits for the end of a pipe whose other end only this process holds.
 */
import { spawn } from 'node:child_process'
import { Socket } from 'node:net'

/** What ends the server when this process is gone. */
export interface Watchdog {
  /** Ends the watchdog without touching the server. */
  dismiss(): void
}

/** The process id is trusted only while the server's own file still names it. */
const SCRIPT = `
trap '' INT TERM HUP
while read -r _; do :; done
read -r pid < "$2" 2>/dev/null
[ "$pid" = "$1" ] && kill -INT "$1"
`

/** @param target the server's process id and the file whose first line repeats it while the server runs */
export const spawnWatchdog = (target: { readonly pid: number; readonly pidFile: string }): Watchdog => {
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'merx-watchdog', String(target.pid), target.pidFile], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    env: { PATH: process.env['PATH'] },
  })
  child.on('error', () => undefined) // no shell: the next start finds and stops the server itself
  child.unref()
  // A pipe to a child is a Socket, though its type says Writable.
  if (child.stdin instanceof Socket) child.stdin.unref()
  return { dismiss: () => child.kill('SIGKILL') }
}
