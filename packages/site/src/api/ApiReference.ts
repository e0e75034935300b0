/**
 * Renders parts of an API on the server, from the stored version of their specification: operations, webhooks and
 * schemas. Parts of a specification that the reader cannot see are not rendered.
 *
 * Limit: 10 specifications per page.
 */
import type { ComputedSpecs } from "@lectern/core/computed/ComputedSpecs"
import * as SpecBlocks from "@lectern/core/computed/SpecBlocks"
import { lineOf, type Spec, type SpecOperation } from "@lectern/core/computed/SpecParser"
import type { ContentSpecs } from "@lectern/core/computed/ContentSpecs"
import type { LocatedRevision } from "@lectern/core/content/reading/LocatedRevision"
import type { Block, Document } from "@lectern/document/Document"
import * as DocumentText from "@lectern/document/DocumentText"
import { Effect } from "effect"
import { refOf, textOf } from "../document/Nodes.ts"
import type { BlockRenderer } from "../document/BlockRenderer.ts"
import { empty, type Html, html, join } from "../html/Html.ts"
import { SchemaReader } from "@lectern/core/computed/SpecSchema"
import { Budget, renderDescription, type ApiRenderContext } from "./ApiRenderContext.ts"
import * as Operations from "./Operations.ts"
import * as Schemas from "./Schemas.ts"
import type * as TryIt from "./TryIt.ts"

const maxSpecs = 10
const maxSchemas = 200

export interface LoadedSpec {
  readonly spec: Spec
  /** URL that the specification was loaded from, if any. */
  readonly source?: string | undefined
}

/** Specifications by name. */
export type Specs = ReadonlyMap<string, LoadedSpec>

/** Prefix of names of specifications in files. No slug contains a slash. */
const filePrefix = "/files/"

const specNamesCache = new WeakMap<Document, ReadonlyArray<string>>()

/** Returns the names of a document's specifications. Cached, since the page may be requested often. */
const specNamesIn = (document: Document): ReadonlyArray<string> => {
  let names = specNamesCache.get(document)
  if (names === undefined) {
    const nameSet = new Set<string>()
    for (const block of blocksIn(document)) {
      const name = specNameOf(block)
      if (name !== undefined) nameSet.add(name)
    }
    names = [...nameSet].slice(0, maxSpecs)
    specNamesCache.set(document, names)
  }
  return names
}

/** True if a block of the document renders operations. */
export const hasOperations = (document: Document): boolean => specNamesIn(document).length > 0

function* blocksIn({ nodes }: Document): Iterable<Block> {
  const stack = nodes.toReversed()
  for (let block = stack.pop(); block !== undefined; block = stack.pop()) {
    yield block
    DocumentText.pushChildBlocks(stack, block)
  }
}

export interface Services {
  readonly specs: ComputedSpecs["Service"]
  readonly contentSpecs: ContentSpecs["Service"]
}

/**
 * Loads the specifications that blocks of a document name, if the actor may see them. `isComplete`: false if a
 * specification is still being parsed.
 */
export const load = Effect.fnUntraced(function* (
  { specs, contentSpecs }: Services,
  location: LocatedRevision,
  document: Document
) {
  const loadedSpecs = new Map<string, LoadedSpec>()
  const names = specNamesIn(document)
  let isComplete = true
  const slugs = names.filter((name) => !name.startsWith(filePrefix))
  const { organization } = location.space
  const states =
    slugs.length === 0 ? undefined : yield* specs.find(organization, slugs, yield* specs.visibilityFor(organization))
  for (const name of names) {
    if (name.startsWith(filePrefix)) {
      const fileSpec = yield* contentSpecs.inFile(location, name.slice(filePrefix.length))
      if (fileSpec.state === "ready") loadedSpecs.set(name, { spec: fileSpec.spec })
      isComplete &&= fileSpec.state !== "reading"
    } else {
      const state = states!.stateOf(name)
      if (state.state !== "ready") continue
      loadedSpecs.set(name, { spec: yield* specs.read(state.version), source: state.version.sourceURL })
    }
  }
  return { loaded: loadedSpecs, isComplete }
})

/** Returns the name of the specification that a block renders; undefined for other blocks. */
const specNameOf = (block: Block): string | undefined => {
  const ref = SpecBlocks.isSpecBlock(block) ? refOf(block.data) : undefined
  if (ref?.kind === "openapi") return ref.spec
  // A file must belong to the page's own space. Specifications on other websites are never requested.
  return ref?.kind === "file" && ref.space === undefined ? filePrefix + ref.file : undefined
}

const specOf = (specs: Specs, block: Block): LoadedSpec | undefined => {
  const name = specNameOf(block)
  return name === undefined ? undefined : specs.get(name)
}

/** Returns a renderer for the API blocks of one page. `buttons`: buttons to try operations. Default: no buttons. */
export const createRenderer = (
  specs: Specs,
  buttons?: TryIt.TryItButtons
): ((block: Block, renderer: BlockRenderer) => Html | undefined) => {
  // Rendering budgets: one for each rendering of a page.
  const budgets = new WeakMap<BlockRenderer, Budget>()
  const schemaReaders = new Map<Spec, SchemaReader>()
  return (block, renderer) => {
    const name = specNameOf(block)
    const loadedSpec = name === undefined ? undefined : specs.get(name)
    if (name === undefined || loadedSpec === undefined) return undefined
    const { spec, source } = loadedSpec
    const budget = budgets.get(renderer) ?? new Budget()
    budgets.set(renderer, budget)
    const level = block.data?.["headless"] === true ? 2 : 3
    const reader = schemaReaders.get(spec) ?? new SchemaReader(spec)
    schemaReaders.set(spec, reader)
    const { api } = renderer.messages
    const context: ApiRenderContext = {
      spec,
      reader,
      source,
      renderer,
      messages: { ...api, ...api.schema },
      budget,
      level,
      ...(buttons && {
        tryButton: (specOperation) => buttons.render(spec, specOperation, { name, source, messages: api })
      })
    }
    if (block.type === "openapi-schemas") return renderSchemas(context, block)
    const specOperation = operationOf(spec, block)
    return specOperation && budget.takeOperation() ? Operations.renderOperation(context, specOperation) : undefined
  }
}

/** Returns an operation that a block of the document renders; undefined if no block renders it. */
export const operationIn = (
  specs: Specs,
  document: Document,
  { spec: name, method, path }: { readonly spec: string; readonly method: string; readonly path: string }
): { readonly loaded: LoadedSpec; readonly specOperation: SpecOperation } | undefined => {
  const loadedSpec = specs.get(name)
  if (loadedSpec === undefined) return undefined
  for (const block of blocksIn(document)) {
    if (specNameOf(block) !== name) continue
    const specOperation = operationOf(loadedSpec.spec, block)
    if (specOperation?.method === method && specOperation.path === path) return { loaded: loadedSpec, specOperation }
  }
  return undefined
}

const operationsCache = new WeakMap<Spec, ReadonlyMap<string, SpecOperation>>()

const operationOf = (spec: Spec, { type, data }: Block): SpecOperation | undefined => {
  let all = operationsCache.get(spec)
  if (all === undefined) {
    const entries = spec.tags.flatMap(({ operations }) =>
      operations.map((operation) => [operationKey(operation), operation] as const)
    )
    all = new Map(entries.toReversed())
    operationsCache.set(spec, all)
  }
  const verb = textOf(data?.["method"]).toLowerCase()
  return type === "openapi-webhook"
    ? all.get(operationKey({ method: "hook", verb, path: textOf(data?.["name"]) }))
    : all.get(operationKey({ method: verb, verb, path: textOf(data?.["path"]) }))
}

const operationKey = ({
  method,
  verb,
  path
}: {
  readonly method: string
  readonly verb: string
  readonly path: string
}) => JSON.stringify([method, verb, path])

/** Renders schemas. A single schema is expanded. */
const renderSchemas = (context: ApiRenderContext, { data }: Block): Html => {
  const names = Array.isArray(data?.["schemas"]) ? data["schemas"].map(textOf).slice(0, maxSchemas) : []
  const renderedSchemas = names.map((name) => () => {
    const schema = context.spec.schemas.get(name)
    if (schema === undefined) return empty
    const specSchema = context.reader.resolve(schema)
    const content = html`${renderDescription(context, specSchema.fields.description)}${Schemas.renderFacts(context, specSchema)}${Schemas.renderSchema(context, schema, "either")}`
    return names.length === 1
      ? content
      : html`<details class="api-below"><summary><code>${lineOf(name, 200)}</code></summary><div>${content}</div></details>`
  })
  return html`<section class="api">${join(renderedSchemas)}</section>`
}

/**
 * Returns the document of a page that is computed from a specification, without the headings and tables that repeat the
 * content of rendered blocks.
 */
export const withoutTables = (document: Document, specs: Specs): Document =>
  SpecBlocks.withoutTables(document, (block) => specOf(specs, block) !== undefined)
