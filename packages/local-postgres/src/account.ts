/**
 * The account PostgreSQL runs as. It refuses to run as root, so root hands it to an account without rights; and where that
 * account cannot reach the folders (a clone below /root, or in a temporary folder of mode 0700), to the same
 * account with the one capability that lets it pass folder permissions.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'

/** The operating-system account that PostgreSQL runs as. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

/** A program with its arguments, and the ids to give to `spawn`. */
export interface Launch {
  readonly file: string
  readonly args: readonly string[]
  readonly ids: { readonly uid?: number; readonly gid?: number }
}

const PREFERRED_NAMES = ['postgres', 'nobody']

/**
 * The account for a data folder: nobody else than the caller unless the caller is root. A folder that an earlier
 * start already gave away keeps its owner, because PostgreSQL insists on owning its data.
 * @returns undefined when the caller may run PostgreSQL as itself.
 * @throws Error when root finds no account to use.
 */
export const chooseAccount = (dataFolder: string): Account | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const owner = statSync(dataFolder, { throwIfNoEntry: false })
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const accounts = parseAccounts(readFileSync('/etc/passwd', 'utf8'))
  const account = PREFERRED_NAMES.map((name) => accounts.get(name)).find((found) => found !== undefined)
  if (account !== undefined) return account
  throw new Error(
    `PostgreSQL does not run as root, and there is no account named ${PREFERRED_NAMES.join(' or ')}`,
  )
}

/** Reads passwd(5): `name:password:uid:gid:…` per line. */
export const parseAccounts = (passwd: string): ReadonlyMap<string, Account> => {
  const accounts = new Map<string, Account>()
  for (const line of passwd.split('\n')) {
    const [name, , uid, gid] = line.split(':')
    if (name && uid && gid) accounts.set(name, { uid: Number(uid), gid: Number(gid) })
  }
  return accounts
}

/**
 * How to start `file` as the account so that it reaches all of `paths`.
 * @throws Error naming the folder that is closed to the account when nothing opens it.
 */
export const launchAs = (
  account: Account | undefined,
  file: string,
  args: readonly string[],
  paths: readonly string[],
): Launch => {
  if (account === undefined) return { file, args, ids: {} }
  const closed = [file, ...paths].map((target) => findClosedFolder(target, account)).find((folder) => folder)
  if (closed === undefined) return { file, args, ids: account }
  if (!hasSetpriv()) {
    throw new Error(
      `PostgreSQL does not run as root, and its account (uid ${account.uid}) cannot enter ${closed}: ` +
        'start as another user, move the folder, or install setpriv (util-linux)',
    )
  }
  return { file: 'setpriv', args: [...passFolders(account), file, ...args], ids: {} }
}

/** access(2) asks without capabilities after a change of ids, unless the last of these switches says otherwise. */
const passFolders = ({ uid, gid }: Account): string[] => [
  `--reuid=${uid}`,
  `--regid=${gid}`,
  '--clear-groups',
  '--bounding-set=-all,+dac_override',
  '--inh-caps=-all,+dac_override',
  '--ambient-caps=-all,+dac_override',
  '--securebits=+no_setuid_fixup',
]

const hasSetpriv = (): boolean => {
  try {
    execFileSync('setpriv', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false // not installed: the caller says what to do
  }
}

/** The outermost folder on the way to `target` that the account may not pass, if any. */
export const findClosedFolder = (target: string, account: Account): string | undefined => {
  const folders: string[] = []
  for (let folder = path.dirname(target); ; folder = path.dirname(folder)) {
    folders.unshift(folder)
    if (folder === path.dirname(folder)) break
  }
  return folders.find((folder) => !mayPass(folder, account))
}

const mayPass = (folder: string, { uid, gid }: Account): boolean => {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found === undefined) return true
  if (found.uid === uid) return (found.mode & 0o100) !== 0
  if (found.gid === gid) return (found.mode & 0o010) !== 0
  return (found.mode & 0o001) !== 0
}
