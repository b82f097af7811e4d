/** What an administrator decides of the organization: who signs in, what roles may do, what applications have credentials. */
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { readTokenInformation } from '../data/api.ts'
import { t } from '../language/text.ts'
import { Loading, Problems } from '../parts/problems.tsx'

const LINK = 'rounded-lg px-3 py-1.5 hover:bg-ground'
const ACTIVE = { className: 'bg-card font-semibold' }

export const Settings = () => {
  const { data, error } = useQuery({ queryKey: ['token'], queryFn: readTokenInformation, staleTime: 60_000 })
  if (data === undefined) return error === null ? <Loading of={t('your role')} /> : <Problems error={error} />
  return (
    <div className="flex flex-col gap-5">
      <h1 className="text-2xl font-semibold tracking-tight">{t('Settings')}</h1>
      {data.role?.kind === 'admin' ? (
        <>
          <nav aria-label={t('Settings')} className="flex flex-wrap gap-1">
            <Link to="/settings/users" className={LINK} activeProps={ACTIVE}>
              {t('Users')}
            </Link>
            <Link to="/settings/roles" className={LINK} activeProps={ACTIVE}>
              {t('Roles')}
            </Link>
            <Link to="/settings/credentials" className={LINK} activeProps={ACTIVE}>
              {t('Credentials')}
            </Link>
            <Link to="/settings/audit" className={LINK} activeProps={ACTIVE}>
              {t('Audit log')}
            </Link>
          </nav>
          <Outlet />
        </>
      ) : (
        <p className="card">{t('Settings are for administrators of the organization. Ask one of them.')}</p>
      )}
    </div>
  )
}
