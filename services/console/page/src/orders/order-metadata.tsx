/** What integrations keep on an order; it is changed as JSON. */
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useMay } from '../data/permissions.ts'
import { t } from '../language/text.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Field, refusedOf, typedIn } from '../parts/field.tsx'
import { Loading, Problems } from '../parts/problems.tsx'
import { Section } from '../parts/section.tsx'
import { parseField, toText } from '../records/form-values.ts'
import { readToEdit, writeRecord } from '../records/write-records.ts'
import type { OrderWithParts } from './read-order.ts'
import { useOrderWrite } from './use-order-write.ts'

interface FormProps {
  readonly id: string
  readonly metadata: unknown
  /** Of the order as it was read: somebody else's change since then refuses the write. */
  readonly tag: string | undefined
  readonly onDone: () => void
}

const MetadataForm = ({ id, metadata, tag, onDone }: FormProps) => {
  const [problem, setProblem] = useState<string>()
  const { mutate, isPending, error } = useOrderWrite(onDone)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const parsed = parseField({ kind: 'object' }, typedIn(new FormData(event.currentTarget), 'metadata'))
    setProblem('problem' in parsed ? parsed.problem : undefined)
    if ('value' in parsed)
      mutate(() =>
        writeRecord(
          'orders',
          'update',
          { attributes: { metadata: parsed.value }, relationships: {} },
          { id, tag },
        ),
      )
  }
  const refused = problem === undefined ? refusedOf(error, 'metadata') : [problem]
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {error === null || refused.length > 0 ? null : <Problems error={error} />}
      <Field
        label={t('Metadata as JSON')}
        hint={t('JSON, such as {example}', { example: '{"color": "red"}' })}
        refused={refused}
      >
        {(about) => (
          <textarea
            name="metadata"
            rows={8}
            spellCheck={false}
            defaultValue={toText('object', metadata)}
            className="control font-mono text-sm"
            {...about}
          />
        )}
      </Field>
      <button type="submit" className="button primary self-start" disabled={isPending}>
        {t('Save')}
      </button>
    </form>
  )
}

const MetadataDialog = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const { data, error } = useQuery({
    queryKey: ['edit', 'orders', id],
    queryFn: () => readToEdit('orders', id),
    // What is being changed must not change by itself.
    staleTime: Infinity,
    gcTime: 0,
  })
  return (
    <Dialog title={t('Change the metadata')} onClose={onClose}>
      {error === null ? null : <Problems error={error} />}
      {data === undefined && error === null ? <Loading of={t('the order')} /> : null}
      {data === undefined ? null : (
        <MetadataForm id={id} metadata={data.record.attributes['metadata']} tag={data.tag} onDone={onClose} />
      )}
    </Dialog>
  )
}

export const Metadata = ({ order }: { readonly order: OrderWithParts }) => {
  const mayUpdate = useMay()('update', 'orders')
  const [isOpen, setOpen] = useState(false)
  const entries = Object.entries(order.metadata ?? {})
  return (
    <Section title={t('Metadata')}>
      <div className="card flex flex-col items-start gap-4">
        {entries.length === 0 ? (
          <p className="text-soft">{t('None.')}</p>
        ) : (
          <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2">
            {entries.map(([name, value]: [string, unknown]) => (
              <div key={name} className="contents">
                <dt className="wrap-anywhere text-soft">{name}</dt>
                <dd className="wrap-anywhere">{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
              </div>
            ))}
          </dl>
        )}
        {mayUpdate ? (
          <button type="button" className="button" onClick={() => setOpen(true)}>
            {t('Change the metadata')}
          </button>
        ) : null}
      </div>
      {isOpen ? <MetadataDialog id={order.id} onClose={() => setOpen(false)} /> : null}
    </Section>
  )
}
