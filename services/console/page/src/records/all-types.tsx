/** Every type there is, and those of them that may be read. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { readTokenInformation } from '../data/api.ts'
import { t } from '../language/text.ts'
import { Loading, Problems } from '../parts/problems.tsx'
import { titleOf, typeNames } from './types.ts'

export const AllTypes = () => {
  const [text, setText] = useState('')
  const { data, error } = useQuery({ queryKey: ['token'], queryFn: readTokenInformation, staleTime: 60_000 })
  if (data === undefined) return error === null ? <Loading of={t('your role')} /> : <Problems error={error} />
  const found = typeNames.filter(
    (name) =>
      data.permissions?.[name]?.actions.includes('read') === true &&
      titleOf(name).toLowerCase().includes(text.trim().toLowerCase()),
  )
  return (
    <div className="flex flex-col gap-5">
      <h1 className="text-2xl font-semibold tracking-tight">{t('Records')}</h1>
      <label className="flex flex-col gap-1 text-sm text-soft">
        {t('Type')}
        <input
          type="search"
          className="control w-72"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </label>
      <p role="status" className="text-soft">
        {t('{count, plural, one {# type} other {# types}}', { count: found.length })}
      </p>
      <ul className="grid gap-2 sm:grid-cols-2 lg:grid-cols-3">
        {found.map((type) => (
          <li key={type}>
            <Link
              to="/records/$type"
              params={{ type }}
              className="card block py-3 font-semibold hover:border-text"
            >
              {titleOf(type)}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
