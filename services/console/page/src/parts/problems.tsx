/** What went wrong, in the words of whoever refused. */
import { problemsOf } from '../data/api.ts'
import { t } from '../language/text.ts'

export const Problems = ({ error }: { readonly error: unknown }) => (
  <div role="alert" className="rounded-lg border border-l-4 border-bad bg-bad-ground px-4 py-3 text-bad">
    {problemsOf(error).map(({ title, detail }) => (
      <p key={`${title} ${detail}`} className="m-0">
        <strong>{title}</strong>
        {detail === title ? null : `: ${detail}`}
      </p>
    ))}
  </div>
)

export const Loading = ({ of }: { readonly of: string }) => (
  <p role="status" className="text-soft">
    {t('Loading {of}…', { of })}
  </p>
)
