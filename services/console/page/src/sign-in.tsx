/** The page of somebody who is not signed in: the environments that there are, each one click away. */
import type { ReactNode } from 'react'
import { signInAddress, type Environment } from './data/session.ts'
import { LanguageSelect } from './language/language-select.tsx'
import { t } from './language/text.ts'
import { modeText } from './shell/environment-switch.tsx'

const problemTexts = (): Readonly<Record<string, string>> => ({
  cancelled: t('You cancelled signing in.'),
  expired: t('Signing in took too long, or was begun in another browser. Begin again.'),
  failed: t('Signing in did not work. Begin again.'),
})

/** Where the browser was, so that it comes back there. */
const here = (): string => {
  const { pathname, search } = window.location
  const query = new URLSearchParams(search)
  query.delete('sign_in')
  const rest = query.toString()
  return rest === '' ? pathname : `${pathname}?${rest}`
}

const Frame = ({ children }: { readonly children: ReactNode }) => (
  <main className="mx-auto max-w-md px-5 py-16">
    <h1 className="mb-6 text-2xl font-semibold tracking-tight">{t('Merx console')}</h1>
    <div className="card flex flex-col gap-4">{children}</div>
    <div className="mt-4">
      <LanguageSelect />
    </div>
  </main>
)

const Choice = ({ organization, mode }: Environment) => (
  <li>
    <a className="button block" href={signInAddress({ organization, mode }, here())}>
      {organization} <span className="font-normal text-soft">({modeText(mode)})</span>
    </a>
  </li>
)

export const SignIn = ({ environments }: { readonly environments: readonly Environment[] }) => {
  const problem = problemTexts()[new URLSearchParams(window.location.search).get('sign_in') ?? '']
  if (environments.length === 0)
    return (
      <Frame>
        <p>
          {t(
            'The console has no credential to sign in with. Set CONSOLE_APPLICATIONS, or start with the demo data.',
          )}
        </p>
      </Frame>
    )
  return (
    <Frame>
      {problem === undefined ? null : (
        <p role="alert" className="text-bad">
          {problem}
        </p>
      )}
      <h2 className="font-semibold">{t('Sign in to')}</h2>
      <ul className="flex flex-col gap-2">
        {environments.map((environment) => (
          <Choice key={`${environment.organization} ${environment.mode}`} {...environment} />
        ))}
      </ul>
    </Frame>
  )
}
