/**
 * What was typed into a form and not sent yet, kept until the tab is closed: it outlives a session that ends and a page
 * that is loaded again. Secrets are not kept.
 */
import type { FormValues } from './form-values.ts'
import { formOf } from './forms.ts'

const keyOf = (type: string, id: string | undefined): string => `merx_draft ${type} ${id ?? 'new'}`

export const keepDraft = (type: string, id: string | undefined, changed: FormValues): void => {
  const { fields } = formOf(type)
  const kept = Object.fromEntries(Object.entries(changed).filter(([name]) => fields[name]?.isSecret !== true))
  if (Object.keys(kept).length === 0) forgetDraft(type, id)
  else sessionStorage.setItem(keyOf(type, id), JSON.stringify(kept))
}

export const readDraft = (type: string, id: string | undefined): FormValues =>
  JSON.parse(sessionStorage.getItem(keyOf(type, id)) ?? '{}') as FormValues

export const forgetDraft = (type: string, id: string | undefined): void =>
  sessionStorage.removeItem(keyOf(type, id))
