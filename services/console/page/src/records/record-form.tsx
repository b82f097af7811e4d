/** The form of a record of any type: what core's definition lets be written, with core's words next to the fields. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Controller, useForm, type UseFormReturn } from 'react-hook-form'
import { problemsOf } from '../data/api.ts'
import { labelOf } from '../data/triggers.ts'
import { t } from '../language/text.ts'
import { refusedOf } from '../parts/field.tsx'
import { Problems } from '../parts/problems.tsx'
import { AttributeField } from './attribute-field.tsx'
import { changedValues, collectValues } from './collect-values.ts'
import { forgetDraft, keepDraft, readDraft } from './form-draft.ts'
import type { FormValues, Link } from './form-values.ts'
import { fieldsAt, relationshipsAt, type WriteOperation } from './forms.ts'
import { RecordPicker } from './record-picker.tsx'
import { suggestionsFor } from './suggestions.ts'
import type { CoreRecord } from './types.ts'
import { writeRecord, type Written } from './write-records.ts'

interface RecordFormProps {
  readonly type: string
  readonly operation: WriteOperation
  readonly id?: string
  readonly tag?: string | undefined
  /** As it was read, or empty. */
  readonly before: FormValues
  readonly onDone: (record: CoreRecord) => void
}

/** Every problem that no field shows. */
const Others = ({ error, names }: { readonly error: unknown; readonly names: readonly string[] }) => {
  const isShown = problemsOf(error).every(({ source }) =>
    names.some((name) => source?.pointer?.split('/').includes(name)),
  )
  return isShown ? (
    <p role="alert" className="text-bad">
      {t('Something was refused: see the fields below.')}
    </p>
  ) : (
    <Problems error={error} />
  )
}

/** The first field that is wrong, once there is one. */
const useFocusOnRefused = (sign: unknown) => {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (sign !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [sign])
  return form
}

/** Sends what was collected, and forgets the draft when it is written. */
const useWriteRecord = ({ type, operation, id, tag, onDone }: RecordFormProps) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (written: Written) => writeRecord(type, operation, written, { id, tag }),
    onSuccess: async (record) => {
      forgetDraft(type, id)
      await queries.invalidateQueries()
      onDone(record)
    },
  })
}

type Typed = Record<string, string | readonly Link[]>

interface ControlsProps extends Pick<RecordFormProps, 'type' | 'operation'> {
  readonly form: UseFormReturn<Typed>
  readonly refused: (name: string) => readonly string[]
}

const Controls = ({ type, operation, form, refused }: ControlsProps) => (
  <>
    {relationshipsAt(type, operation).map(([name, { targets, isMany = false, required = false }]) => (
      <Controller
        key={name}
        name={name}
        control={form.control}
        render={({ field: { value, onChange } }) => (
          <RecordPicker
            label={labelOf(name)}
            targets={targets}
            isMany={isMany}
            isRequired={required}
            links={typeof value === 'string' ? [] : (value ?? [])}
            refused={refused(name)}
            onChange={onChange}
          />
        )}
      />
    ))}
    {fieldsAt(type, operation).map(([name, field]) => (
      <AttributeField
        key={name}
        name={name}
        field={field}
        refused={refused(name)}
        suggested={suggestionsFor(type, name)}
        registered={form.register(name)}
      />
    ))}
  </>
)

const Restored = ({ onDiscard }: { readonly onDiscard: () => void }) => (
  <p role="status" className="flex flex-wrap items-center gap-3 text-warn">
    {t('What you typed before is here again.')}
    <button type="button" className="button" onClick={onDiscard}>
      {t('Discard it')}
    </button>
  </p>
)

export const RecordForm = (props: RecordFormProps) => {
  const { type, operation, id, before } = props
  const [draft, setDraft] = useState(() => readDraft(type, id))
  const form = useForm<Typed>({ defaultValues: { ...before, ...draft } })
  const { watch, setError, formState } = form
  const write = useWriteRecord(props)
  const element = useFocusOnRefused(write.error ?? (formState.isSubmitted ? formState.errors : undefined))
  useEffect(() => {
    const { unsubscribe } = watch((values) =>
      keepDraft(type, id, changedValues(values as FormValues, before)),
    )
    return unsubscribe
  }, [watch, type, id, before])
  const submit = (values: FormValues) => {
    const { problems, ...written } = collectValues(type, values, before)
    const wrong = Object.entries(problems)
    for (const [name, message] of wrong) setError(name, { message })
    if (wrong.length === 0) write.mutate(written)
  }
  const discard = () => {
    forgetDraft(type, id)
    setDraft({})
    form.reset({ ...before })
  }
  const refused = (name: string): readonly string[] => {
    const message = formState.errors[name]?.message
    return typeof message === 'string' ? [message] : refusedOf(write.error, name)
  }
  const names = [...fieldsAt(type, operation), ...relationshipsAt(type, operation)].map(([name]) => name)
  return (
    <form
      ref={element}
      noValidate
      className="card flex max-w-3xl flex-col gap-4"
      onSubmit={(event) => void form.handleSubmit((values) => submit(values))(event)}
    >
      {Object.keys(draft).length === 0 ? null : <Restored onDiscard={discard} />}
      {write.error === null ? null : <Others error={write.error} names={names} />}
      <Controls {...{ type, operation, form, refused }} />
      <button type="submit" className="button primary self-start" disabled={write.isPending}>
        {t('Save')}
      </button>
    </form>
  )
}
