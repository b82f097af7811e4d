/** Asks a user of the organization for email and password. */
import type { DemoUser } from '../authorize/demo-users.ts'
import { html, type Html } from './html.ts'
import type { Page } from './page.ts'

export interface SignInView {
  readonly applicationName: string
  readonly organizationName: string
  /** Path and query the form posts to. */
  readonly action: string
  readonly csrfToken: string
  /** Where "Cancel" leads: back to the application. */
  readonly cancelUrl: string
  readonly demoUsers: readonly DemoUser[]
  readonly email?: string | undefined
  readonly problem?: SignInProblem | undefined
}

export type SignInProblem =
  | { readonly kind: 'incomplete'; readonly missing: readonly FieldName[] }
  | { readonly kind: 'refused' }
  | { readonly kind: 'limited'; readonly minutes: number }

export type FieldName = 'email' | 'password'

const MISSING: Readonly<Record<FieldName, string>> = {
  email: 'Enter your email address',
  password: 'Enter your password',
}

const minutes = (count: number): string => (count === 1 ? 'a minute' : `${count} minutes`)

/** Comes first and takes the focus, so that it is read out before anything else (WCAG 2.2, 3.3.1). */
const summary = (problem: SignInProblem): Html =>
  html`<div class="summary" role="alert" aria-labelledby="problem" tabindex="-1" autofocus>
    ${summaryText(problem)}
  </div>`

const summaryText = (problem: SignInProblem): Html => {
  switch (problem.kind) {
    case 'incomplete':
      return html`<h2 id="problem">Something is missing</h2>
        <ul>
          ${problem.missing.map((name) => html`<li><a href="#${name}">${MISSING[name]}</a></li>`)}
        </ul>`
    case 'refused':
      return html`<h2 id="problem">You are not signed in</h2>
        <p><a href="#email">The email address or the password is not right.</a></p>`
    case 'limited':
      return html`<h2 id="problem">Too many attempts</h2>
        <p>Wait ${minutes(problem.minutes)}, then try again.</p>`
  }
}

const field = (
  name: FieldName,
  label: string,
  attributes: Html,
  problem: SignInProblem | undefined,
): Html => {
  const isMissing = problem?.kind === 'incomplete' && problem.missing.includes(name)
  const isInvalid = isMissing || problem?.kind === 'refused'
  return html`<label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      required
      ${attributes}
      ${isInvalid ? html`aria-invalid="true"` : undefined}
      ${isMissing ? html`aria-describedby="${name}-violation"` : undefined}
    />
    ${isMissing ? html`<p class="violation" id="${name}-violation">${MISSING[name]}</p>` : undefined}`
}

/** A form of its own for each, filled in but for the click. */
const demoForm = ({ action, csrfToken }: SignInView, { email, password }: DemoUser): Html =>
  html`<form method="post" action="${action}">
    <input type="hidden" name="csrf_token" value="${csrfToken}" />
    <input type="hidden" name="email" value="${email}" />
    <input type="hidden" name="password" value="${password}" />
    <button class="second" name="action" value="sign_in">Continue as ${email}</button>
  </form>`

const demoSection = (view: SignInView): Html | undefined =>
  view.demoUsers.length === 0
    ? undefined
    : html`<h2 class="demo">Demo</h2>
        <p class="soft">This shop is a demo: its users are one click away.</p>
        ${view.demoUsers.map((user) => demoForm(view, user))}`

const STATUS = { incomplete: 422, refused: 422, limited: 429 } as const

export const signInPage = (view: SignInView): Page => {
  const { applicationName, organizationName, problem, email = '' } = view
  const title = `Sign in to ${organizationName}`
  const emailAttributes = html`type="email" autocomplete="username" maxlength="320" spellcheck="false"
  autocapitalize="none" value="${email}" ${problem === undefined ? html`autofocus` : undefined}`
  const passwordAttributes = html`type="password" autocomplete="current-password" maxlength="1024"`
  return {
    status: problem === undefined ? 200 : STATUS[problem.kind],
    title: problem === undefined ? title : `Problem: ${title}`,
    place: organizationName,
    content: html`${problem === undefined ? undefined : summary(problem)}
      <h1>${title}</h1>
      <p class="soft">to continue to ${applicationName}</p>
      <form method="post" action="${view.action}" novalidate>
        <input type="hidden" name="csrf_token" value="${view.csrfToken}" />
        ${field('email', 'Email address', emailAttributes, problem)}
        ${field('password', 'Password', passwordAttributes, problem)}
        <button class="primary" name="action" value="sign_in">Sign in</button>
        <a class="button second" href="${view.cancelUrl}">Cancel</a>
      </form>
      ${demoSection(view)}`,
  }
}
