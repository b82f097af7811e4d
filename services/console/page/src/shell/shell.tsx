/** What every screen has around it: where one is, whose shop it is, test or live, search, and the way out. */
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { readTokenInformation } from '../data/api.ts'
import { signOut, type Environment, type Session } from '../data/session.ts'
import { LanguageSelect } from '../language/language-select.tsx'
import { t } from '../language/text.ts'
import { EnvironmentSwitch } from './environment-switch.tsx'
import { placesOf, type Place } from './navigation.ts'
import { useShortcuts } from './shortcuts.ts'

const SearchDialog = lazy(async () => ({ default: (await import('./search-dialog.tsx')).SearchDialog }))
const KeyboardHelp = lazy(async () => ({ default: (await import('./keyboard-help.tsx')).KeyboardHelp }))

const LINK = 'block rounded-lg px-3 py-1.5 hover:bg-ground'
const ACTIVE = { className: 'bg-ground font-semibold' }

export interface ShellProps {
  readonly session: Session
  readonly environments: readonly Environment[]
}

const leave = async (): Promise<void> => {
  await signOut()
  window.location.assign('/console/')
}

interface PlacesProps {
  readonly places: readonly Place[]
  readonly onGo: () => void
}

const Places = ({ places, onGo }: PlacesProps) => (
  <nav aria-label={t('Main')}>
    <ul className="flex flex-col gap-1">
      {places.map(({ to, label }) => (
        <li key={to}>
          <Link
            to={to}
            className={LINK}
            activeProps={ACTIVE}
            activeOptions={{ exact: to === '/' }}
            onClick={onGo}
          >
            {label}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
)

type Shown = 'search' | 'help'

const useOverlays = (places: readonly Place[]) => {
  const [shown, setShown] = useState<Shown>()
  const navigate = useNavigate()
  const onSearch = useCallback(() => setShown('search'), [])
  const onHelp = useCallback(() => setShown('help'), [])
  const close = useCallback(() => setShown(undefined), [])
  const onPlace = useCallback(
    (key: string) => {
      const place = places.find((each) => each.key === key)
      if (place !== undefined) void navigate({ to: place.to })
    },
    [places, navigate],
  )
  useShortcuts({ onSearch, onHelp, onPlace })
  return { shown, onSearch, onHelp, close }
}

/** Wide windows have a bar at the side; on narrow ones a menu opens. */
export const Shell = ({ session, environments }: ShellProps) => {
  const { data: token } = useQuery({
    queryKey: ['token'],
    queryFn: readTokenInformation,
    staleTime: 60_000,
  })
  const places = useMemo(() => placesOf(token), [token])
  const { shown, onSearch, onHelp, close } = useOverlays(places)
  const [isMenuOpen, setMenuOpen] = useState(false)
  return (
    <div className="lg:grid lg:min-h-screen lg:grid-cols-[15rem_minmax(0,1fr)]">
      <a className="sr-only focus:not-sr-only" href="#content">
        {t('Skip to the content')}
      </a>
      <header className="flex flex-col gap-4 border-line bg-card px-4 py-4 max-lg:border-b lg:sticky lg:top-0 lg:col-start-1 lg:h-screen lg:overflow-y-auto lg:border-e">
        <div className="flex flex-wrap items-center justify-between gap-3 lg:flex-col lg:items-stretch">
          <span className="px-3 font-semibold tracking-tight">Merx</span>
          <EnvironmentSwitch present={session} environments={environments} />
          <button
            type="button"
            className="button lg:hidden"
            aria-expanded={isMenuOpen}
            aria-controls="menu"
            onClick={() => setMenuOpen(!isMenuOpen)}
          >
            {t('Menu')}
          </button>
        </div>
        <div id="menu" className={`flex min-w-0 grow flex-col gap-4 ${isMenuOpen ? '' : 'max-lg:hidden'}`}>
          <button type="button" className="control flex justify-between gap-2 text-soft" onClick={onSearch}>
            {t('Search')} <kbd className="font-mono text-sm">Ctrl K</kbd>
          </button>
          <Places places={places} onGo={() => setMenuOpen(false)} />
          <div className="flex min-w-0 flex-col gap-2 lg:mt-auto">
            {token?.owner === undefined ? null : (
              <span className="truncate px-3 text-sm text-soft" title={token.owner.email}>
                {token.owner.email}
              </span>
            )}
            <LanguageSelect />
            <button type="button" className="button max-lg:hidden" onClick={onHelp}>
              {t('Keys')}
            </button>
            <button type="button" className="button" onClick={() => void leave()}>
              {t('Sign out')}
            </button>
          </div>
        </div>
      </header>
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto w-full max-w-6xl min-w-0 px-5 py-6 outline-none lg:col-start-2"
      >
        <Outlet />
      </main>
      <Suspense>
        {shown === 'search' ? <SearchDialog places={places} onClose={close} /> : null}
        {shown === 'help' ? <KeyboardHelp places={places} onClose={close} /> : null}
      </Suspense>
    </div>
  )
}
