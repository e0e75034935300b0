/**
 * Requests renderings of a page's integration blocks, as the page's reader. `IntegrationRenders` caches results for as
 * long as the integration allows; each view requests all others again. A page waits for its blocks within limits. A
 * message replaces a block that is late or fails.
 *
 * Limits: 20 different blocks per page, 4 concurrent requests, 5 seconds per block and 8 seconds in total.
 */
import type { CurrentActor } from "@lectern/core/access/Actor"
import type { IntegrationRenders } from "@lectern/core/integration/placement/IntegrationRenders"
import type { RenderRequest } from "@lectern/core/integration/IntegrationRender"
import type { SpaceId } from "@lectern/core/space/Space"
import { StorageError } from "@lectern/core/storage/Storage"
import type { Block, Document } from "@lectern/document/Document"
import * as DocumentText from "@lectern/document/DocumentText"
import { Clock, Effect } from "effect"
import type { Opener, BlockSubmission } from "../contentkit/BlockForm.ts"
import { closeAction } from "../contentkit/Controls.ts"
import { type Completion, isFields, type Output, readOutput } from "../contentkit/Component.ts"

const maxBlocks = 20
const concurrency = 4
const blockTimeout = "5 seconds"
const totalTimeoutMs = 8_000

const openAction = "@ui.modal.open"

type JsonObject = RenderRequest["props"]

/** Request to render a block. */
export interface BlockRequest {
  readonly integration: string
  readonly component: string
  readonly props: JsonObject
  readonly state?: JsonObject
  readonly action?: JsonObject
}

/** `gone`: no integration installed on the space renders the block. `failed`: the integration failed or timed out. */
export type BlockResult = Output | Completion | "gone" | "failed"

type Renders = IntegrationRenders["Service"]

const requestOf = ({ type, data }: Block): BlockRequest | undefined => {
  const { integration, block, props = {}, action } = data ?? {}
  if (type !== "integration" || typeof integration !== "string" || typeof block !== "string") return undefined
  if (!isFields(props)) return undefined
  return {
    integration,
    component: block,
    props: props as JsonObject,
    ...(isFields(action) && { action: action as JsonObject })
  }
}

const requestKey = (request: BlockRequest): string => JSON.stringify(request)

/** Returns the integration blocks of a document, in document order. */
const integrationBlocksIn = (document: Document): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  const stack: Array<Block> = document.nodes.toReversed()
  for (let block = stack.pop(); block !== undefined; block = stack.pop()) {
    if (block.type === "integration") blocks.push(block)
    DocumentText.pushChildBlocks(stack, block)
  }
  return blocks
}

const requestsCache = new WeakMap<Document, ReadonlyArray<BlockRequest>>()

/** Returns the render requests of a document, without duplicates. */
const requestsIn = (document: Document): ReadonlyArray<BlockRequest> => {
  let requests = requestsCache.get(document)
  if (requests === undefined) {
    const byKey = new Map<string, BlockRequest>()
    for (const block of integrationBlocksIn(document)) {
      const request = requestOf(block)
      if (request !== undefined && byKey.size < maxBlocks) byKey.set(requestKey(request), request)
    }
    requestsCache.set(document, (requests = [...byKey.values()]))
  }
  return requests
}

/** Requests a rendering. Returns the result and its text; equal texts mean equal results. */
const requestRender = (
  renders: Renders,
  space: SpaceId,
  { integration, component, ...request }: BlockRequest,
  theme: "light" | "dark"
): Effect.Effect<{ readonly text: string; readonly result: BlockResult }, StorageError, CurrentActor> =>
  renders
    .render(integration, {
      componentId: component,
      context: { type: "document", spaceId: space, editable: false, theme },
      ...request
    })
    .pipe(
      Effect.map(({ json }) => ({ text: json, result: readOutput(json) ?? ("failed" as const) })),
      Effect.timeout(blockTimeout),
      Effect.catch((failure) => {
        if (failure instanceof StorageError) return Effect.fail(failure)
        const result = failure._tag === "IntegrationNotFound" ? "gone" : "failed"
        return Effect.succeed({ text: result, result } as const)
      })
    )

export interface RenderedBlocks {
  /** Texts of the results. A rendered page remains valid while they are equal. */
  readonly inputs: ReadonlyArray<string>
  /**
   * Returns the result for a block; `failed` beyond the limit of blocks. Undefined for an invalid block, for example
   * without a component.
   */
  readonly resultOf: (block: Block) => BlockResult | undefined
  /** False if a rendering failed, since the next request may succeed. */
  readonly isComplete: boolean
}

const noBlocks: RenderedBlocks = { inputs: [], resultOf: () => undefined, isComplete: true }

export const renderBlocks = Effect.fnUntraced(function* (
  renders: Renders,
  space: SpaceId,
  document: Document,
  theme: "light" | "dark"
) {
  const requests = requestsIn(document)
  if (requests.length === 0) return noBlocks
  const deadline = (yield* Clock.currentTimeMillis) + totalTimeoutMs
  const timeoutResult = { text: "failed", result: "failed" } as const
  const results = yield* Effect.forEach(
    requests,
    Effect.fnUntraced(function* (request) {
      const remaining = deadline - (yield* Clock.currentTimeMillis)
      if (remaining <= 0) return timeoutResult
      return yield* requestRender(renders, space, request, theme).pipe(
        Effect.timeoutOrElse({ duration: remaining, orElse: () => Effect.succeed(timeoutResult) })
      )
    }),
    { concurrency }
  )
  const byKey = new Map(requests.map((request, i) => [requestKey(request), results[i]!.result] as const))
  return {
    inputs: results.map(({ text }) => text),
    resultOf: (block) => {
      const request = requestOf(block)
      return request === undefined ? undefined : (byKey.get(requestKey(request)) ?? "failed")
    },
    isComplete: results.every(({ result }) => result !== "failed")
  } satisfies RenderedBlocks
})

/**
 * Returns a block after a reader's action. An action that opens a dialog returns the dialog. When a dialog closes or
 * completes, its opener is rendered with its earlier props and state. The action `@ui.modal.close` passes the dialog's
 * return value to the opener. Undefined if the page has no such block.
 */
export const handleAction = Effect.fnUntraced(function* (
  renders: Renders,
  space: SpaceId,
  document: Document,
  submission: BlockSubmission,
  theme: "light" | "dark"
) {
  const block = integrationBlocksIn(document).find((block) => block.key === submission.block)
  const blockRequest = block && requestOf(block)
  if (block === undefined || blockRequest === undefined) return undefined
  const { integration } = blockRequest

  const renderComponent = Effect.fnUntraced(function* (
    component: string,
    openers: ReadonlyArray<Opener>,
    request: Partial<BlockRequest>
  ) {
    const { result } = yield* requestRender(renders, space, { integration, component, props: {}, ...request }, theme)
    const dialog = component === blockRequest.component ? undefined : { component, openers }
    return { block, result, dialog }
  })

  /** Renders the last opener of a dialog; without openers, renders the block of the page. */
  const returnToOpener = (openers: ReadonlyArray<Opener>, returnValue: unknown) => {
    const opener = openers.at(-1)
    const { component = blockRequest.component, props = blockRequest.props, state } = opener ?? {}
    return renderComponent(component, openers.slice(0, -1), {
      props: toJsonObject(props),
      ...(state && {
        state: toJsonObject(state),
        action: { action: closeAction, returnValue: toJsonObject(returnValue) }
      })
    })
  }

  const { component, openers, props, state, action } = submission
  if (action["action"] === closeAction) return yield* returnToOpener(openers, action["returnValue"])
  if (action["action"] === openAction && typeof action["componentId"] === "string") {
    const allOpeners = [...openers, { component, props, state }]
    return yield* renderComponent(action["componentId"], allOpeners, { props: toJsonObject(action["props"]) })
  }
  const request = { props: toJsonObject(props), state: toJsonObject(state), action: toJsonObject(action) }
  const rendered = yield* renderComponent(component ?? blockRequest.component, openers, request)
  const { result } = rendered
  return typeof result === "object" && "returnValue" in result
    ? yield* returnToOpener(openers, result.returnValue)
    : rendered
})

const toJsonObject = (value: unknown): JsonObject => (isFields(value) ? (value as JsonObject) : {})
