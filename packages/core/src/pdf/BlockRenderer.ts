/**
 * Renders the integration blocks of a PDF: each is replaced by plain blocks of its program's response. A block remains
 * unchanged if no active integration of the space renders it, or if rendering fails.
 *
 * Limits: 100 different blocks in a PDF; 5 seconds for a block and 30 in total; responses of 256 KiB.
 */
import { Clock, Effect } from "effect"
import type { StoredDocument } from "../content/documents/StoredDocument.ts"
import { keyOf } from "../integration/Integration.ts"
import { IntegrationRuns } from "../integration/IntegrationRuns.ts"
import { RunFailed, textOf } from "../integration/IntegrationRuntime.ts"
import { ActiveIntegrations, type ActiveIntegration } from "../integration/ActiveIntegrations.ts"
import { type SpaceId, SpaceTable } from "../space/Space.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import * as Fallback from "../thread/Fallback.ts"
import { Threads } from "../thread/Threads.ts"
import { type ProgramOutput, parseOutput } from "./ContentKitBlocks.ts"
import { type RenderRequest, FindRenderRequests, ReplaceIntegrationBlocks, requestKeyOf } from "./IntegrationBlocks.ts"

const maxRequests = 100
const blockTimeout = "5 seconds"
const totalTimeoutMillis = 30_000
const maxOutput = 256 * 1024

/**
 * Returns a function that takes the space of a PDF. Its result renders the blocks of a document, and is called for one
 * document after another.
 */
export const make = Effect.gen(function* () {
  const activeIntegrations = yield* ActiveIntegrations
  const runs = yield* IntegrationRuns
  const threads = yield* Threads
  const spaces = (yield* Storage).repository(SpaceTable)

  const render = Effect.fnUntraced(function* (
    active: ActiveIntegration,
    space: SpaceId,
    { block, props }: RenderRequest
  ) {
    const { integration, installation } = active
    return yield* runs.requestParsed(
      { integration, installation, content: { kind: "space", id: space } },
      {
        type: "ui_render",
        installationId: installation.id,
        spaceId: space,
        componentId: block,
        props,
        context: { type: "document", spaceId: space, editable: false, theme: "light" }
      },
      Effect.fnUntraced(function* ({ status, bytes }) {
        const text = yield* textOf({ bytes }, maxOutput)
        const output = status === 200 ? parseOutput(text) : undefined
        if (output !== undefined) return output
        return yield* new RunFailed({ reason: "unusable", message: "The response is not an element", logs: [] })
      })
    )
  })

  return Effect.fnUntraced(function* (id: SpaceId) {
    const space = yield* spaces.get({ id })
    const activeOnSpace =
      space === undefined || !runs.isAvailable ? [] : yield* activeIntegrations.list(space.organization, "space", id)
    const renderers = activeOnSpace.filter(({ integration }) => (integration.manifest.blocks ?? []).length > 0)
    const requestKeys = new Set<string>()
    const outputs = new Map<string, ProgramOutput>()
    const until = (yield* Clock.currentTimeMillis) + totalTimeoutMillis

    const renderOnce = Effect.fnUntraced(function* (request: RenderRequest) {
      const requestKey = requestKeyOf(request)
      if (requestKeys.has(requestKey) || requestKeys.size >= maxRequests) return
      const key = keyOf(request.integration)
      const renderer = renderers.find(
        ({ integration }) =>
          integration.key === key && integration.manifest.blocks!.some(({ id }) => id === request.block)
      )
      if (renderer === undefined || (yield* Clock.currentTimeMillis) > until) return
      requestKeys.add(requestKey)
      const output = yield* render(renderer, id, request).pipe(
        Effect.timeout(blockTimeout),
        Effect.catchTag(["RunFailed", "TimeoutError"], () => Effect.undefined)
      )
      if (output !== undefined) outputs.set(requestKey, output)
    })

    return Effect.fnUntraced(function* (document: StoredDocument): Effect.fn.Return<StoredDocument, StorageError> {
      if (renderers.length === 0) return document
      const renderAll = Effect.gen(function* () {
        const requests = yield* threads.run(FindRenderRequests, document, { patient: true })
        for (const request of requests) yield* renderOnce(request)
        const results = new Map(
          requests.map(requestKeyOf).flatMap((question) => {
            const output = outputs.get(question)
            return output === undefined ? [] : [[question, output] as const]
          })
        )
        return results.size === 0
          ? document
          : yield* threads.run(ReplaceIntegrationBlocks, { document, outputs: results }, { patient: true })
      })
      return yield* Fallback.withFallback("Blocks of a PDF could not be drawn", renderAll, Effect.succeed(document))
    })
  })
})
