import { boolean, text } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'

/** The credential the caller's token was issued to; auth has the record. */
export const applications = defineResource('applications', {
  summary: "The API credential of the caller's token.",
  model: 'application',
  path: 'application',
  singleton: true,
  operations: ['retrieve'],
  scope: 'environment',
  attributes: {
    name: text(),
    kind: text(),
    public_access: boolean(),
    redirect_uri: text(),
    scopes: text(),
  },
})
