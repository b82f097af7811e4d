/** A schema as a list of members; what is nested is opened by whoever wants it, so that no depth is too much. */
import { useState } from 'react'
import { describeSchema, resolved, type OpenApi, type Schema } from './openapi.ts'

interface SchemaProps {
  readonly document: OpenApi
  readonly schema: Schema
}

const childrenOf = (schema: Schema): readonly (readonly [string, Schema])[] => [
  ...Object.entries(schema.properties ?? {}),
  ...(schema.items === undefined ? [] : [['items', schema.items] as const]),
  ...(schema.oneOf ?? schema.anyOf ?? []).map((each, at) => [`one of, ${at + 1}`, each] as const),
  ...(schema.allOf ?? []).map((each, at) => [`all of, ${at + 1}`, each] as const),
]

interface MemberProps extends SchemaProps {
  readonly name: string
  readonly isRequired: boolean
}

const Member = ({ document, name, schema: written, isRequired }: MemberProps) => {
  const [isOpen, setOpen] = useState(false)
  const schema = resolved(document, written)
  const children = childrenOf(schema)
  const line = (
    <>
      <code className="font-semibold">{name}</code>
      {isRequired ? <span className="text-bad"> *</span> : null}{' '}
      <span className="text-soft">{describeSchema(schema)}</span>
      {schema.description === undefined ? null : (
        <span className="block text-sm text-soft">{schema.description}</span>
      )}
    </>
  )
  return (
    <li className="min-w-0 wrap-anywhere">
      {children.length === 0 ? (
        line
      ) : (
        <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>{line}</summary>
          {isOpen ? <SchemaView document={document} schema={schema} /> : null}
        </details>
      )}
    </li>
  )
}

export const SchemaView = ({ document, schema: written }: SchemaProps) => {
  const schema = resolved(document, written)
  const children = childrenOf(schema)
  return children.length === 0 ? (
    <p className="text-soft">{describeSchema(schema)}</p>
  ) : (
    <ul className="flex flex-col gap-1 border-s border-line ps-4">
      {children.map(([name, child]) => (
        <Member
          key={name}
          document={document}
          name={name}
          schema={child}
          isRequired={schema.required?.includes(name) === true}
        />
      ))}
    </ul>
  )
}
