/** Everything that is provisioned over HTTP, in the order of the reference page. */
import { createRegistry } from '@merx/jsonapi/registry'
import { provisionedIds } from '../../store/public-ids.ts'
import { apiCredentials } from './api-credentials.ts'
import { auditEvents } from './audit-events.ts'
import { organizations } from './organizations.ts'
import { permissions } from './permissions.ts'
import { roles } from './roles.ts'
import { savedQuestions } from './saved-questions.ts'
import { users } from './users.ts'

export const provisionedResources = createRegistry(
  [organizations, users, roles, permissions, apiCredentials, auditEvents],
  {
    ids: provisionedIds,
  },
)

/** What every user who signed in has of their own, whatever their role. */
export const ownResources = createRegistry([savedQuestions], { ids: provisionedIds })
