import { requireProgram } from './install-program.ts'
import { findRedisProgram } from './private-redis.ts'

/** @returns the program, found or installed, or why there is none. */
export const requireRedisProgram = (say: (line: string) => void): { program: string } | { missing: string } =>
  requireProgram(
    {
      program: 'redis-server',
      find: findRedisProgram,
      packages: { 'apt-get': 'redis-server', dnf: 'redis', apk: 'redis' },
      timeoutMs: 300_000,
    },
    say,
  )
