/**
 * An operation as Markdown for programs. Its specification belongs to the organization or is a file, and pages of the
 * site are computed from it or show it.
 *
 * Limit: searches 20 specifications.
 */
import type { ComputedSpecs } from "@lectern/core/computed/ComputedSpecs"
import type { ContentSpecs } from "@lectern/core/computed/ContentSpecs"
import type { Spec } from "@lectern/core/computed/SpecParser"
import type { LocatedRevision } from "@lectern/core/content/reading/LocatedRevision"
import type { StorageError } from "@lectern/core/storage/Storage"
import { ComputedMethod } from "@lectern/core/computed/ComputedSource"
import * as SpecOutline from "@lectern/core/computed/SpecOutline"
import * as SpecPages from "@lectern/core/computed/SpecPages"
import type { OrganizationId } from "@lectern/core/organization/Organization"
import type * as Resources from "@lectern/core/content/ContentResources"
import * as Markdown from "@lectern/document/markdown/Markdown"
import * as VisitorDocument from "@lectern/document/VisitorDocument"
import { Effect, Schema } from "effect"

const maxSpecs = 20

/** Returns the names of the specifications that pages are computed from. */
export const specNamesIn = (pages: ReadonlyArray<Resources.Page>): ReadonlySet<string> => {
  const names = new Set<string>()
  const stack = [...pages]
  for (let page = stack.pop(); page !== undefined; page = stack.pop()) {
    if ("pages" in page) stack.push(...page.pages)
    if (page.type !== "document" || page.computed?.type !== "builtin:openapi") continue
    names.add(page.computed.dependencies.spec.ref.spec)
  }
  return names
}

const isMethod = Schema.is(ComputedMethod)

interface OperationRef {
  readonly method: string
  readonly path: string
}

/** A specification that pages of the site show, by name. */
export interface ReadableSpec {
  readonly name: string
  readonly read: Effect.Effect<Spec | undefined, StorageError>
}

/** Returns the organization's specifications by name, if the actor may see them. */
export const specsByName = Effect.fnUntraced(function* (
  specs: ComputedSpecs["Service"],
  organization: OrganizationId,
  requestedNames: Iterable<string>
) {
  const names = [...requestedNames].slice(0, maxSpecs)
  if (names.length === 0) return []
  const states = yield* specs.find(organization, names, yield* specs.visibilityFor(organization))
  return names.flatMap((name): ReadonlyArray<ReadableSpec> => {
    const state = states.stateOf(name)
    return state.state === "ready" ? [{ name, read: specs.read(state.version) }] : []
  })
})

/** Returns specifications in files that pages of a space refer to, if the actor may see them. */
export const specsInFiles = (specs: ContentSpecs["Service"], location: LocatedRevision) =>
  Effect.map(specs.files(location), (files) =>
    files.map((file): ReadableSpec => ({ name: file.name, read: specs.read(file) }))
  )

/** Returns an operation from the first specification that contains it; undefined if no specification contains it. */
export const findOperation = Effect.fnUntraced(function* (
  all: ReadonlyArray<ReadableSpec>,
  { method, path }: OperationRef
) {
  if (!isMethod(method)) return undefined
  for (const { name, read } of all.slice(0, maxSpecs)) {
    const spec = yield* read
    const props = { doc: "operation", page: path, method } as const
    const operation = spec && SpecOutline.operationOf(spec, props)
    if (spec === undefined || operation === undefined) continue
    const ref = { kind: "openapi", spec: name } as const
    const { nodes, ...document } = yield* SpecPages.document(spec, props, {
      source: { dependencies: { spec: { ref } } }
    })
    // The block that renders the operation for readers has no text in Markdown.
    const textNodes = nodes.filter(({ type }) => !type.startsWith("openapi-"))
    return {
      title: operation.title,
      spec: name,
      markdown: Markdown.print(VisitorDocument.markdownVisitorDocument({ ...document, nodes: textNodes }))
    }
  }
  return undefined
})
