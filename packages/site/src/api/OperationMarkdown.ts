/** An operation as Markdown, for programs: of a specification that pages of a site are computed from. */
import type { ComputedSpecs } from "@lectern/core/computed/ComputedSpecs"
import { ComputedMethod } from "@lectern/core/computed/ComputedSource"
import * as SpecOutline from "@lectern/core/computed/SpecOutline"
import * as SpecPages from "@lectern/core/computed/SpecPages"
import type { OrganizationId } from "@lectern/core/organization/Organization"
import type * as Resources from "@lectern/core/content/ContentResources"
import * as Markdown from "@lectern/document/markdown/Markdown"
import * as VisitorDocument from "@lectern/document/VisitorDocument"
import { Effect, Schema } from "effect"

const maxSpecs = 20

/** Names of the specifications that pages are computed from. */
export const specsOf = (pages: ReadonlyArray<Resources.Page>): ReadonlySet<string> => {
  const names = new Set<string>()
  const open = [...pages]
  for (let page = open.pop(); page !== undefined; page = open.pop()) {
    if ("pages" in page) open.push(...page.pages)
    if (page.type !== "document" || page.computed?.type !== "builtin:openapi") continue
    names.add(page.computed.dependencies.spec.ref.spec)
  }
  return names
}

const isMethod = Schema.is(ComputedMethod)

/** The first that has it. */
export const find = Effect.fnUntraced(function* (
  specs: ComputedSpecs["Service"],
  organization: OrganizationId,
  named: Iterable<string>,
  { method, path }: { readonly method: string; readonly path: string }
) {
  const names = [...named].slice(0, maxSpecs)
  if (!isMethod(method) || names.length === 0) return undefined
  const states = yield* specs.find(organization, names, yield* specs.seen(organization))
  for (const name of names) {
    const state = states.of(name)
    if (state.state !== "ready") continue
    const spec = yield* specs.read(state.version)
    const props = { doc: "operation", page: path, method } as const
    const operation = SpecOutline.operationOf(spec, props)
    if (operation === undefined) continue
    const ref = { kind: "openapi", spec: name } as const
    const { nodes, ...document } = yield* SpecPages.document(spec, props, {
      source: { dependencies: { spec: { ref } } }
    })
    // The block that readers draw says nothing in Markdown.
    const told = nodes.filter(({ type }) => !type.startsWith("openapi-"))
    return {
      title: operation.title,
      spec: name,
      markdown: Markdown.print(VisitorDocument.forMarkdown({ ...document, nodes: told }))
    }
  }
  return undefined
})
