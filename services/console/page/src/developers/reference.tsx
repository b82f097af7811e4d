/** The interfaces as OpenAPI describes them: every path, what it takes and what it answers. */
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { formatCount } from '../data/format.ts'
import { t } from '../language/text.ts'
import { SelectField, TextField } from '../parts/field.tsx'
import { Loading, Problems } from '../parts/problems.tsx'
import { readReferenceSearch, SERVICES } from './developers-search.ts'
import {
  addressOf,
  describeSchema,
  endpointsOf,
  readOpenApi,
  resolved,
  type Endpoint,
  type OpenApi,
} from './openapi.ts'
import { SchemaView } from './schema-view.tsx'

const SHOWN_MAX = 100

interface EndpointProps {
  readonly document: OpenApi
  readonly endpoint: Endpoint
}

const Parameters = ({ parameters }: Pick<Endpoint, 'parameters'>) =>
  parameters.length === 0 ? null : (
    <>
      <h2 className="font-semibold">{t('Parameters')}</h2>
      <ul className="flex flex-col gap-1">
        {parameters.map(({ name, in: place, required, description, schema = {} }) => (
          <li key={`${place} ${name}`} className="wrap-anywhere">
            <code className="font-semibold">{name}</code>
            {required === true ? <span className="text-bad"> *</span> : null}{' '}
            <span className="text-soft">
              {place} {describeSchema(schema)}
            </span>
            {description === undefined ? null : (
              <span className="block text-sm text-soft">{description}</span>
            )}
          </li>
        ))}
      </ul>
    </>
  )

const About = ({ document, endpoint }: EndpointProps) => {
  const { method, operation, parameters } = endpoint
  const bodies = Object.entries(operation.requestBody?.content ?? {})
  const answers = Object.entries(operation.responses ?? {})
  return (
    <div className="flex flex-col gap-3 pt-3">
      {operation.description === undefined ? null : <p>{operation.description}</p>}
      <p>
        <Link
          to="/developers/request"
          search={{ method, path: addressOf(document, endpoint) }}
          className="underline underline-offset-2"
        >
          {t('Send such a request')}
        </Link>
      </p>
      <Parameters parameters={parameters} />
      {bodies.map(([type, { schema = {} }]) => (
        <div key={type} className="flex flex-col gap-2">
          <h2 className="font-semibold">
            {t('Body')} <code className="font-normal">{type}</code>
          </h2>
          <SchemaView document={document} schema={schema} />
        </div>
      ))}
      <h2 className="font-semibold">{t('Answers')}</h2>
      <ul className="flex flex-col gap-2">
        {answers.map(([status, written]) => {
          const answer = resolved(document, written)
          const [schema] = Object.values(answer.content ?? {}).map((content) => content.schema)
          return (
            <li key={status} className="wrap-anywhere">
              <code className="font-semibold">{status}</code> {answer.description}
              {schema === undefined ? null : <SchemaView document={document} schema={schema} />}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

const EndpointItem = ({ document, endpoint }: EndpointProps) => {
  const [isOpen, setOpen] = useState(false)
  const { method, path, operation } = endpoint
  return (
    <li>
      <details className="card py-3" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="wrap-anywhere">
          <code className="font-semibold">
            {method} {path}
          </code>{' '}
          <span className="text-soft">{operation.summary}</span>
        </summary>
        {isOpen ? <About document={document} endpoint={endpoint} /> : null}
      </details>
    </li>
  )
}

export const Reference = () => {
  const { service, text = '' } = useSearch({ from: '/developers/reference' })
  const navigate = useNavigate({ from: '/developers/reference' })
  const { data: document, error } = useQuery({
    queryKey: ['openapi', service],
    queryFn: () => readOpenApi(service),
    staleTime: Infinity,
  })
  const endpoints = useMemo(() => (document === undefined ? [] : endpointsOf(document)), [document])
  const found = endpoints.filter(({ method, path, operation }) =>
    `${method} ${path} ${operation.summary ?? ''}`.toLowerCase().includes(text.trim().toLowerCase()),
  )
  const change = (values: Partial<Record<'service' | 'text', string>>) =>
    void navigate({ search: readReferenceSearch({ service, text, ...values }), replace: true })
  return (
    <>
      <div className="flex flex-wrap items-end gap-3">
        <SelectField
          label={t('Service')}
          value={service}
          onChange={({ target }) => change({ service: target.value })}
        >
          {SERVICES.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </SelectField>
        <TextField
          label={t('Path, method or summary')}
          type="search"
          className="w-72"
          value={text}
          onChange={({ target }) => change({ text: target.value })}
        />
      </div>
      {document === undefined ? (
        error === null ? (
          <Loading of={t('the reference')} />
        ) : (
          <Problems error={error} />
        )
      ) : (
        <>
          <p role="status" className="text-soft">
            {t('{count} found', { count: formatCount(found.length) })}
            {found.length > SHOWN_MAX ? ` · ${t('the first {count} are shown', { count: SHOWN_MAX })}` : null}
          </p>
          <ul className="flex flex-col gap-2">
            {found.slice(0, SHOWN_MAX).map((endpoint) => (
              <EndpointItem
                key={`${service} ${endpoint.method} ${endpoint.path}`}
                document={document}
                endpoint={endpoint}
              />
            ))}
          </ul>
        </>
      )}
    </>
  )
}
