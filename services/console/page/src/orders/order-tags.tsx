/** The tags of an order, added by name and taken off one by one. */
import { useQuery } from '@tanstack/react-query'
import { useId, useState, type FormEvent } from 'react'
import { useMay } from '../data/permissions.ts'
import { t } from '../language/text.ts'
import { refusedOf, TextField } from '../parts/field.tsx'
import { Problems } from '../parts/problems.tsx'
import { Section } from '../parts/section.tsx'
import { useSettled } from '../parts/use-settled.ts'
import { findByName } from '../records/find-records.ts'
import { addTag, removeTag, type OrderWithParts } from './read-order.ts'
import { useOrderWrite } from './use-order-write.ts'

interface OfOrder {
  readonly order: OrderWithParts
}

const AddTag = ({ order }: OfOrder) => {
  const may = useMay()
  const [name, setName] = useState('')
  const settled = useSettled(name.trim())
  const list = useId()
  const { data: found = [] } = useQuery({
    queryKey: ['find', 'tags', settled],
    queryFn: () => findByName('tags', settled),
    enabled: settled !== '',
  })
  const { mutate, isPending, error, data: isThere } = useOrderWrite()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate(() => addTag(order.id, name.trim(), may('create', 'tags')), {
      onSuccess: (isAdded) => {
        if (isAdded === true) setName('')
      },
    })
  }
  const unknown = isThere === false ? [t('There is no such tag, and your role may not make one.')] : []
  const refused = [...unknown, ...refusedOf(error, 'name')]
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
      <TextField
        label={t('Add a tag')}
        value={name}
        onChange={({ target }) => setName(target.value)}
        list={list}
        required
        maxLength={25}
        autoComplete="off"
        refused={refused}
      />
      <datalist id={list}>
        {found.map((tag) => (
          <option key={tag.id} value={tag.name} />
        ))}
      </datalist>
      <button type="submit" className="button" disabled={isPending}>
        {t('Add')}
      </button>
      {error === null || refused.length > 0 ? null : <Problems error={error} />}
    </form>
  )
}

export const Tags = ({ order }: OfOrder) => {
  const mayUpdate = useMay()('update', 'orders')
  const { mutate, isPending, error } = useOrderWrite()
  const tags = order.tags ?? []
  return (
    <Section title={t('Tags')}>
      <div className="card flex flex-col items-start gap-4">
        {tags.length === 0 ? (
          <p className="text-soft">{t('None.')}</p>
        ) : (
          <ul className="flex flex-wrap gap-2">
            {tags.map(({ id, name }) => (
              <li key={id} className="flex items-center gap-2 rounded-lg bg-ground px-3 py-1">
                {name}
                {mayUpdate ? (
                  <button
                    type="button"
                    className="text-soft hover:text-text"
                    aria-label={t('Remove {name}', { name })}
                    disabled={isPending}
                    onClick={() => mutate(() => removeTag(order.id, name))}
                  >
                    ×
                  </button>
                ) : null}
              </li>
            ))}
          </ul>
        )}
        {error === null ? null : <Problems error={error} />}
        {mayUpdate ? <AddTag order={order} /> : null}
      </div>
    </Section>
  )
}
