/** A request of one's own to any interface, with the token of the session or another, and the answer to it. */
import { useMutation } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { formatCount } from '../data/format.ts'
import { t } from '../language/text.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Field, SelectField, TextField, typedIn } from '../parts/field.tsx'
import { Problems } from '../parts/problems.tsx'
import { METHODS, type Method } from './developers-search.ts'
import { sendRequest, toCurl, type SentAnswer, type SentRequest } from './send-request.ts'

const Answer = ({ answer }: { readonly answer: SentAnswer }) => (
  <section aria-labelledby="answer" className="flex flex-col gap-3">
    <h2 id="answer" className="text-lg font-semibold">
      {t('Answer')}
    </h2>
    <p role="status">
      <strong>
        {answer.status} {answer.statusText}
      </strong>{' '}
      <span className="text-soft">
        {t('{milliseconds} ms', { milliseconds: formatCount(Math.round(answer.milliseconds)) })}
      </span>
    </p>
    <details className="card py-3">
      <summary>{t('Headers')}</summary>
      <pre className="overflow-x-auto pt-2 text-sm" tabIndex={0}>
        {answer.headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
      </pre>
    </details>
    <pre className="card max-h-160 overflow-auto text-sm" tabIndex={0} aria-label={t('Body')}>
      {answer.body}
    </pre>
  </section>
)

const methodOf = (text: string): Method => METHODS.find((name) => name === text) ?? 'GET'

const requestOf = (form: FormData): SentRequest => ({
  method: methodOf(typedIn(form, 'method')),
  path: typedIn(form, 'path').trim(),
  body: typedIn(form, 'body'),
  token: typedIn(form, 'token').trim(),
})

export const RequestConsole = () => {
  const { method, path } = useSearch({ from: '/developers/request' })
  const [request, setRequest] = useState<SentRequest>({ method, path, body: '', token: '' })
  const sent = useMutation({ mutationFn: sendRequest })
  const read = ({ currentTarget }: FormEvent<HTMLFormElement>) =>
    setRequest(requestOf(new FormData(currentTarget)))
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    sent.mutate(requestOf(new FormData(event.currentTarget)))
  }
  return (
    <>
      <form onSubmit={submit} onChange={read} className="flex flex-col gap-4">
        <div className="flex flex-wrap items-end gap-3">
          <SelectField label={t('Method')} name="method" defaultValue={method}>
            {METHODS.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </SelectField>
          <div className="min-w-64 grow">
            <TextField label={t('Path')} name="path" defaultValue={path} className="w-full font-mono" />
          </div>
        </div>
        <TextField
          label={t('Token')}
          name="token"
          type="password"
          autoComplete="off"
          className="font-mono"
          hint={t('Leave it empty for your own. It is kept nowhere.')}
        />
        {request.method === 'GET' ? null : (
          <Field label={t('Body')}>
            {(about) => (
              <textarea
                name="body"
                rows={10}
                className="control font-mono text-sm"
                spellCheck={false}
                {...about}
              />
            )}
          </Field>
        )}
        <div className="flex flex-wrap items-center gap-3">
          <button type="submit" className="button primary" disabled={sent.isPending}>
            {t('Send')}
          </button>
          {request.method === 'GET' ? null : (
            <span className="text-warn">{t('It is carried out, as from any client.')}</span>
          )}
        </div>
      </form>
      <details className="card py-3">
        <summary>{t('As a command')}</summary>
        <div className="flex flex-col items-start gap-2 pt-2">
          <pre className="max-w-full overflow-x-auto text-sm" tabIndex={0}>
            {toCurl(request, window.location.origin)}
          </pre>
          <CopyButton key={JSON.stringify(request)} text={toCurl(request, window.location.origin)} />
        </div>
      </details>
      {sent.error === null ? null : <Problems error={sent.error} />}
      {sent.data === undefined ? null : <Answer answer={sent.data} />}
    </>
  )
}
