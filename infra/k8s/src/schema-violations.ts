/** Violations of a document by the JSON schemas of Kubernetes' OpenAPI: types, required fields, allowed values. */

interface Validated {
  validate(): void
}

type Constructor = new (data: object) => Validated

/** `apps/v1` → `kubernetes-models/apps/v1`; groups without a dot below k8s.io are named in short there. */
const moduleOf = (apiVersion: string): string => `kubernetes-models/${apiVersion}`

/** @returns a sentence for each violation. */
export const findSchemaViolations = async (document: {
  readonly apiVersion: string
  readonly kind: string
}): Promise<string[]> => {
  const models = (await import(moduleOf(document.apiVersion))) as Record<string, Constructor>
  const Model = models[document.kind]
  if (Model === undefined) return [`there is no ${document.kind} in ${document.apiVersion}`]
  try {
    new Model(document).validate()
    return []
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).split(', ')
  }
}
