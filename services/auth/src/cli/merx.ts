/** `merx`: organizations, users, roles, credentials, keys, tokens and the audit log from the command line. */
import process from 'node:process'
import { terminalIo } from './io.ts'
import { runMerx } from './run-merx.ts'

// The terminal or a pipe may be gone before all is written (`merx audit | head`).
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})
process.exitCode = await runMerx(process.argv.slice(2), terminalIo())
