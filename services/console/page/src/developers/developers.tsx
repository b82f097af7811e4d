/** For whoever builds on the interfaces: their reference, requests to try, and the limits in use. */
import { Link, Outlet } from '@tanstack/react-router'
import { t } from '../language/text.ts'

const LINK = 'rounded-lg px-3 py-1.5 hover:bg-ground'
const ACTIVE = { className: 'bg-card font-semibold' }

export const Developers = () => (
  <div className="flex flex-col gap-5">
    <h1 className="text-2xl font-semibold tracking-tight">{t('Developers')}</h1>
    <nav aria-label={t('Developers')} className="flex flex-wrap gap-1">
      <Link to="/developers/reference" search={{ service: 'core' }} className={LINK} activeProps={ACTIVE}>
        {t('Reference')}
      </Link>
      <Link
        to="/developers/request"
        search={{ method: 'GET', path: '/api/orders?page[size]=1' }}
        className={LINK}
        activeProps={ACTIVE}
        activeOptions={{ includeSearch: false }}
      >
        {t('Request')}
      </Link>
      <Link to="/developers/limits" className={LINK} activeProps={ACTIVE}>
        {t('Limits')}
      </Link>
    </nav>
    <Outlet />
  </div>
)
