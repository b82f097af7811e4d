/** Shows a signed-in user what an application requests, and lets the user decide. */
import type { Mode } from '@merx/access-token/caller'
import type { User } from '../roles/user.ts'
import { html } from './html.ts'
import type { Page } from './page.ts'

export interface ConsentView {
  readonly applicationName: string
  readonly organizationName: string
  readonly mode: Mode
  readonly user: User
  readonly scopeText?: string | undefined
  readonly redirectUri: string
  readonly action: string
  readonly csrfToken: string
}

const MODES: Readonly<Record<Mode, string>> = { test: 'test data', live: 'live data' }

const ROLES: Readonly<Record<User['role']['kind'], string>> = {
  admin: 'may read and change everything, users and credentials of test and live too',
  read_only: 'may read everything and change nothing',
  custom: 'may do what this role permits',
}

const nameOf = ({ firstName, lastName, email }: User): string => {
  const name = `${firstName} ${lastName}`.trim()
  return name === '' ? email : `${name} (${email})`
}

/** What people recognize: the site of an https address, the whole of any other. */
const placeOf = (redirectUri: string): string => {
  const { protocol, host } = new URL(redirectUri)
  return protocol === 'https:' || protocol === 'http:' ? host : redirectUri
}

/**
 * Browsers hold the redirects that follow a form against form-action, also those of the application itself, which
 * may well lead to another of its hosts: so its scheme is allowed, not its address alone.
 */
const formTargetOf = (redirectUri: string): string => new URL(redirectUri).protocol

export const consentPage = (view: ConsentView): Page => {
  const { applicationName, organizationName, mode, user, scopeText, redirectUri, action } = view
  const token = html`<input type="hidden" name="csrf_token" value="${view.csrfToken}" />`
  return {
    status: 200,
    title: `Allow ${applicationName}?`,
    place: organizationName,
    formTargets: [formTargetOf(redirectUri)],
    content: html`<h1>Allow ${applicationName} to act for you?</h1>
      <p class="soft">It will work with ${MODES[mode]} of ${organizationName}, also while you are away.</p>
      <dl>
        <div>
          <dt>Your role</dt>
          <dd>${user.role.name}: ${ROLES[user.role.kind]}</dd>
        </div>
        <div>
          <dt>Limited to</dt>
          <dd>${scopeText ?? 'Nothing: all markets'}</dd>
        </div>
        <div>
          <dt>You return to</dt>
          <dd>${placeOf(redirectUri)}</dd>
        </div>
      </dl>
      <form method="post" action="${action}">
        ${token}
        <button class="primary" name="action" value="allow">Allow</button>
        <button class="second" name="action" value="deny">Cancel</button>
      </form>
      <div class="who">
        Signed in as ${nameOf(user)}.
        <form method="post" action="${action}">
          ${token}
          <button class="plain" name="action" value="sign_out">Use another account</button>
        </form>
      </div>`,
  }
}
