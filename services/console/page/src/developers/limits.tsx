/** The rate limits in use: what the answers to this page said of them. */
import { useEffect, useState } from 'react'
import { formatCount, formatTime } from '../data/format.ts'
import { limitsInUse } from '../data/limits.ts'
import { t } from '../language/text.ts'
import { Table } from '../parts/table.tsx'

const REFRESH_MS = 1_000

export const Limits = () => {
  const [limits, setLimits] = useState(limitsInUse)
  useEffect(() => {
    const timer = setInterval(() => setLimits(limitsInUse()), REFRESH_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <>
      <p className="text-soft">
        {t(
          'Limits count the requests of one address; clients on the same one share them. This page has met these:',
        )}
      </p>
      {limits.length === 0 ? (
        <p className="card">{t('None yet. Open another screen, then come back.')}</p>
      ) : (
        <Table label={t('Limits')} heads={[t('Path'), t('Left'), t('Of'), t('Seconds'), t('Last answer')]}>
          {limits.map(({ path, limit, remaining, interval, at }) => (
            <tr key={path}>
              <td>
                <code>{path}</code>
              </td>
              <td className="tabular-nums">
                <meter min={0} max={limit} low={limit / 5} value={remaining} aria-label={t('Left')} />{' '}
                {formatCount(remaining)}
              </td>
              <td className="tabular-nums">{formatCount(limit)}</td>
              <td className="tabular-nums">{formatCount(interval)}</td>
              <td>{formatTime(at.toISOString())}</td>
            </tr>
          ))}
        </Table>
      )}
    </>
  )
}
