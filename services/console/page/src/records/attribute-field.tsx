/** One attribute in a form: a control that fits its kind. */
import type { UseFormRegisterReturn } from 'react-hook-form'
import { labelOf } from '../data/triggers.ts'
import { t } from '../language/text.ts'
import { Field } from '../parts/field.tsx'
import { valuesOf, type FormField } from './forms.ts'

interface AttributeFieldProps {
  readonly name: string
  readonly field: FormField
  readonly refused: readonly string[]
  /** Values that somebody may want; any other may be typed. */
  readonly suggested: readonly string[]
  /** What react-hook-form gives a control. */
  readonly registered: UseFormRegisterReturn
}

const LONG = new Set(['object', 'list'])

/** Texts that are written in sentences. */
const isProse = (name: string, { kind, max }: FormField): boolean =>
  kind === 'text' && (name === 'description' || name === 'notes' || name === 'body' || max === undefined)

const hintOf = ({ kind, min, max }: FormField): string | undefined => {
  if (kind === 'cents') return t('In the smallest unit of the currency: 1250 is 12.50.')
  if (kind === 'list') return t('One a line.')
  if (kind === 'object') return t('JSON, such as {example}', { example: '{"color": "red"}' })
  if (kind === 'text' || (min === undefined && max === undefined)) return undefined
  if (max === undefined || max > 1_000_000_000)
    return min === undefined ? undefined : t('At least {min}.', { min })
  return min === undefined ? t('At most {max}.', { max }) : t('From {min} to {max}.', { min, max })
}

const INPUT_TYPES: Readonly<Record<string, string>> = { instant: 'datetime-local' }

const MODES: Readonly<Record<string, 'numeric' | 'decimal'>> = {
  ...{ integer: 'numeric', cents: 'numeric', float: 'decimal' },
}

export const AttributeField = ({ name, field, refused, suggested, registered }: AttributeFieldProps) => {
  const { kind, required = false, isSecret = false } = field
  const label = `${labelOf(name)}${required ? ' *' : ''}`
  return (
    <Field label={label} hint={hintOf(field)} refused={refused}>
      {(about) => {
        if (LONG.has(kind) || isProse(name, field))
          return (
            <textarea
              rows={3}
              spellCheck={!LONG.has(kind)}
              className={`control ${kind === 'object' ? 'font-mono text-sm' : ''}`}
              {...registered}
              {...about}
            />
          )
        if (kind === 'boolean' || kind === 'oneOf')
          return (
            <select className="control" {...registered} {...about}>
              <option value="">–</option>
              {(kind === 'boolean' ? ['true', 'false'] : valuesOf(field)).map((value) => (
                <option key={value} value={value}>
                  {kind === 'oneOf' ? value : value === 'true' ? t('Yes') : t('No')}
                </option>
              ))}
            </select>
          )
        const list = suggested.length === 0 ? undefined : `${about.id}-suggested`
        return (
          <>
            <input
              type={isSecret ? 'password' : (INPUT_TYPES[kind] ?? 'text')}
              step={kind === 'instant' ? 1 : undefined}
              inputMode={MODES[kind]}
              autoComplete={isSecret ? 'new-password' : 'off'}
              list={list}
              className="control"
              {...registered}
              {...about}
            />
            {list === undefined ? null : (
              <datalist id={list}>
                {suggested.map((value) => (
                  <option key={value} value={value} />
                ))}
              </datalist>
            )}
          </>
        )
      }}
    </Field>
  )
}
