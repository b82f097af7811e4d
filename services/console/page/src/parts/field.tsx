/** A control with its label, and what was refused of it in the words of the interface. */
import { useId, type ComponentProps, type ReactNode } from 'react'
import { problemsOf } from '../data/api.ts'

/** What was refused of one member of the document that was sent, such as `name` or `role`. */
export const refusedOf = (error: unknown, member: string): readonly string[] =>
  error === null || error === undefined
    ? []
    : problemsOf(error)
        .filter(({ source }) => source?.pointer?.split('/').includes(member) === true)
        .map(({ detail }) => detail)

/** What was typed into a field of a form. */
export const typedIn = (form: FormData, name: string): string => {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

interface FieldProps {
  readonly label: string
  readonly hint?: string | undefined
  readonly refused?: readonly string[]
  readonly children: (props: {
    readonly id: string
    readonly 'aria-describedby': string | undefined
    readonly 'aria-invalid': boolean
  }) => ReactNode
}

export const Field = ({ label, hint, refused = [], children }: FieldProps) => {
  const id = useId()
  const isRefused = refused.length > 0
  const described = isRefused || hint !== undefined
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm text-soft">
        {label}
      </label>
      {children({ id, 'aria-describedby': described ? `${id}-about` : undefined, 'aria-invalid': isRefused })}
      {described ? (
        <p id={`${id}-about`} className={`text-sm ${isRefused ? 'text-bad' : 'text-soft'}`}>
          {isRefused ? refused.join('; ') : hint}
        </p>
      ) : null}
    </div>
  )
}

type InputProps = Omit<FieldProps, 'children'> & Omit<ComponentProps<'input'>, 'id' | 'children'>

export const TextField = ({ label, hint, refused, className = '', ...input }: InputProps) => (
  <Field label={label} hint={hint} refused={refused ?? []}>
    {(about) => <input className={`control ${className}`} {...input} {...about} />}
  </Field>
)

type SelectProps = Omit<FieldProps, 'children'> & Omit<ComponentProps<'select'>, 'id'>

export const SelectField = ({ label, hint, refused, children, ...select }: SelectProps) => (
  <Field label={label} hint={hint} refused={refused ?? []}>
    {(about) => (
      <select className="control" {...select} {...about}>
        {children}
      </select>
    )}
  </Field>
)
