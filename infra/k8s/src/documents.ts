/** The manifests of an overlay as `kubectl kustomize` renders them; infra/check-kubernetes keeps the files current. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseAllDocuments } from 'yaml'

export const OVERLAYS = ['dev', 'prod'] as const

export interface Container {
  readonly name: string
  readonly image: string
  readonly resources?: {
    readonly requests?: Readonly<Record<string, string>>
    readonly limits?: Readonly<Record<string, string>>
  }
  readonly securityContext?: Readonly<Record<string, unknown>>
  readonly startupProbe?: unknown
  readonly livenessProbe?: unknown
  readonly readinessProbe?: unknown
  readonly env?: readonly { readonly name: string; readonly value?: string }[]
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[]
}

export interface PodSpec {
  readonly automountServiceAccountToken?: boolean
  readonly serviceAccountName?: string
  readonly securityContext?: Readonly<Record<string, unknown>>
  readonly containers: readonly Container[]
  readonly initContainers?: readonly Container[]
  readonly volumes?: readonly Readonly<Record<string, unknown>>[]
  readonly topologySpreadConstraints?: readonly unknown[]
}

export interface Document {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly labels?: Readonly<Record<string, string>>
  }
  readonly spec?: Readonly<Record<string, unknown>>
  readonly data?: Readonly<Record<string, string>>
}

const FOLDER = path.resolve(import.meta.dirname, '..', 'rendered')

/** @throws Error when the file is no YAML. */
export const readOverlay = (name: (typeof OVERLAYS)[number]): readonly Document[] =>
  parseAllDocuments(readFileSync(path.join(FOLDER, `${name}.yaml`), 'utf8')).map((document) => {
    const [error] = document.errors
    if (error !== undefined) throw error
    return document.toJS() as Document
  })

interface Template {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> }
  readonly spec: PodSpec
}

/** A document that makes pods, with the template of them. */
export interface Workload {
  readonly kind: string
  readonly name: string
  readonly replicas: number
  readonly labels: Readonly<Record<string, string>>
  readonly pod: PodSpec
}

export const workloadsOf = (documents: readonly Document[]): readonly Workload[] =>
  documents.flatMap(({ kind, metadata, spec }) => {
    const template = spec?.['template'] as Template | undefined
    if (template === undefined) return []
    const replicas = typeof spec?.['replicas'] === 'number' ? spec['replicas'] : 1
    return [{ kind, name: metadata.name, replicas, labels: template.metadata.labels, pod: template.spec }]
  })
