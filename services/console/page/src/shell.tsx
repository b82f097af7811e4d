/** What every screen has around it: where one is, whose shop it is, test or live, and the way out. */
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { readTokenInformation } from './data/api.ts'
import { signInAddress, signOut, type Environment, type Session } from './data/session.ts'

const isSame = (one: Environment, other: Environment): boolean =>
  one.organization === other.organization && one.mode === other.mode

const LINK = 'rounded-lg px-3 py-1.5 hover:bg-ground'
const ACTIVE = { className: 'bg-ground font-semibold' }

export interface ShellProps {
  readonly session: Session
  readonly environments: readonly Environment[]
}

const EnvironmentSwitch = ({ session, environments }: ShellProps) => (
  <details className="relative">
    <summary className="control flex list-none items-center gap-2">
      <span>{session.organization}</span>
      <span
        className={`rounded-full px-2 py-0.5 text-sm font-semibold ${session.mode === 'live' ? 'bg-good-ground text-good' : 'bg-warn-ground text-warn'}`}
      >
        {session.mode === 'live' ? 'Live' : 'Test'}
      </span>
    </summary>
    <ul className="card absolute right-0 z-10 mt-1 flex w-64 flex-col gap-1 p-2">
      {environments
        .filter((environment) => !isSame(environment, session))
        .map((environment) => (
          <li key={`${environment.organization} ${environment.mode}`}>
            <a className={`block ${LINK}`} href={signInAddress(environment, '/console/')}>
              {environment.organization} ({environment.mode})
            </a>
          </li>
        ))}
    </ul>
  </details>
)

const leave = async (): Promise<void> => {
  await signOut()
  window.location.assign('/console/')
}

export const Shell = ({ session, environments }: ShellProps) => {
  const { data } = useQuery({ queryKey: ['token'], queryFn: readTokenInformation, staleTime: 60_000 })
  return (
    <>
      <a className="sr-only focus:not-sr-only" href="#content">
        Skip to the content
      </a>
      <header className="border-b border-line bg-card">
        <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-6 gap-y-2 px-5 py-3">
          <span className="font-semibold tracking-tight">Merx</span>
          <nav aria-label="Main" className="flex gap-1">
            <Link to="/" className={LINK} activeProps={ACTIVE} activeOptions={{ exact: true }}>
              Home
            </Link>
            <Link to="/orders" className={LINK} activeProps={ACTIVE}>
              Orders
            </Link>
            <Link to="/records" className={LINK} activeProps={ACTIVE}>
              Records
            </Link>
          </nav>
          <div className="ml-auto flex flex-wrap items-center gap-3">
            <EnvironmentSwitch session={session} environments={environments} />
            {data?.owner === undefined ? null : (
              <span className="hidden text-soft md:inline">{data.owner.email}</span>
            )}
            <button type="button" className="button" onClick={() => void leave()}>
              Sign out
            </button>
          </div>
        </div>
      </header>
      <main id="content" tabIndex={-1} className="mx-auto max-w-6xl px-5 py-6 outline-none">
        <Outlet />
      </main>
    </>
  )
}
