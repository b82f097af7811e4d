/** Puts a program on this machine with the system's package manager, where that needs nobody's password. */
import { spawnSync } from 'node:child_process'

export interface Installation {
  /** As people call it. */
  readonly program: string
  readonly find: () => string | undefined
  /** The package of each manager that has one. */
  readonly packages: Readonly<Partial<Record<ManagerName, string>>>
  readonly timeoutMs: number
}

interface PackageManager {
  readonly name: string
  readonly commands: (packageName: string) => readonly (readonly string[])[]
}

/** In the order they are looked for. */
const MANAGERS = [
  {
    name: 'apt-get',
    commands: (packageName) => [
      ['apt-get', 'update', '-qq'],
      ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', packageName],
    ],
  },
  { name: 'dnf', commands: (packageName) => [['dnf', 'install', '-y', '-q', packageName]] },
  { name: 'apk', commands: (packageName) => [['apk', 'add', '--no-cache', '-q', packageName]] },
] as const satisfies readonly PackageManager[]

type ManagerName = (typeof MANAGERS)[number]['name']

/** @returns the program, found or installed, or why there is none. */
export const requireProgram = (
  { program, find, packages, timeoutMs }: Installation,
  say: (line: string) => void,
): { program: string } | { missing: string } => {
  const found = find()
  if (found !== undefined) return { program: found }
  const absent = `there is no ${program} on this machine`
  if (process.getuid?.() !== 0) return { missing: `${absent}, and only root could install it` }
  const manager = MANAGERS.find(
    ({ name }) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0,
  )
  const packageName = manager && packages[manager.name]
  if (manager === undefined || packageName === undefined)
    return { missing: `${absent}, and no ${Object.keys(packages).join(' or ')} to install it` }
  say(`${absent}: installing it with ${manager.name}`)
  for (const [file = '', ...args] of manager.commands(packageName)) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const done = spawnSync(file, args, { stdio: ['ignore', 'ignore', 'inherit'], env, timeout: timeoutMs })
    if (done.status !== 0)
      return { missing: `"${[file, ...args].join(' ')}" failed, so there is no ${program}` }
  }
  const installed = find()
  return installed === undefined
    ? { missing: `${manager.name} installed ${packageName}, but ${program} was not found` }
    : { program: installed }
}
