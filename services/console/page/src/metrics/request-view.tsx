/** The question as whoever calls metrics writes it. The token is a name, never that of the session. */
import { useState } from 'react'
import { t } from '../language/text.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import type { Question } from './question.ts'
import { toCurl, toJavaScript, toJson, toRequest } from './request.ts'

const FORMS = { curl: toCurl, JavaScript: toJavaScript, JSON: toJson } as const
type Form = keyof typeof FORMS

const NAMES = Object.keys(FORMS) as readonly Form[]

export const RequestView = ({ question, now }: { readonly question: Question; readonly now: Date }) => {
  const [form, setForm] = useState<Form>('curl')
  const text = FORMS[form](toRequest(question, now), window.location.origin)
  return (
    <details className="card py-3">
      <summary>{t('As a request')}</summary>
      <div className="flex flex-col gap-3 pt-3">
        <div className="flex flex-wrap items-center gap-2">
          <div role="group" aria-label={t('As a request')} className="flex flex-wrap gap-1">
            {NAMES.map((name) => (
              <button
                key={name}
                type="button"
                aria-pressed={name === form}
                className={`button ${name === form ? 'border-text' : ''}`}
                onClick={() => setForm(name)}
              >
                {name}
              </button>
            ))}
          </div>
          <CopyButton key={text} text={text} />
        </div>
        <pre className="max-h-96 max-w-full overflow-auto text-sm" tabIndex={0} aria-label={form}>
          {text}
        </pre>
        {form === 'JavaScript' ? (
          <p className="text-sm text-soft">
            {t('@commercelayer/sdk has no call for metrics; this sends the same with fetch.')}
          </p>
        ) : null}
      </div>
    </details>
  )
}
