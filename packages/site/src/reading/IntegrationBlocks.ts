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
const atOnce = 4
const patience = "5 seconds"
const patienceInAll = 8_000

const opening = "@ui.modal.open"

type Free = RenderRequest["props"]

/** Request to render a block. */
export interface Asked {
  readonly integration: string
  readonly component: string
  readonly props: Free
  readonly state?: Free
  readonly action?: Free
}

/** `gone`: no integration installed on the space renders the block. `failed`: the integration failed or timed out. */
export type Answer = Output | Completion | "gone" | "failed"

type Renders = IntegrationRenders["Service"]

const askedBy = ({ type, data }: Block): Asked | undefined => {
  const { integration, block, props = {}, action } = data ?? {}
  if (type !== "integration" || typeof integration !== "string" || typeof block !== "string") return undefined
  if (!isFields(props)) return undefined
  return { integration, component: block, props: props as Free, ...(isFields(action) && { action: action as Free }) }
}

const questionOf = (asked: Asked): string => JSON.stringify(asked)

/** Returns the integration blocks of a document, in document order. */
const blocksOf = (document: Document): ReadonlyArray<Block> => {
  const found: Array<Block> = []
  const waiting: Array<Block> = document.nodes.toReversed()
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
    if (block.type === "integration") found.push(block)
    DocumentText.pushBlocksIn(waiting, block)
  }
  return found
}

const known = new WeakMap<Document, ReadonlyArray<Asked>>()

/** Returns the render requests of a document, without duplicates. */
const askedIn = (document: Document): ReadonlyArray<Asked> => {
  let asked = known.get(document)
  if (asked === undefined) {
    const all = new Map<string, Asked>()
    for (const block of blocksOf(document)) {
      const one = askedBy(block)
      if (one !== undefined && all.size < maxBlocks) all.set(questionOf(one), one)
    }
    known.set(document, (asked = [...all.values()]))
  }
  return asked
}

/** Requests a rendering. Returns the result and its text; equal texts mean equal results. */
const ask = (
  renders: Renders,
  space: SpaceId,
  { integration, component, ...asked }: Asked,
  theme: "light" | "dark"
): Effect.Effect<{ readonly text: string; readonly answer: Answer }, StorageError, CurrentActor> =>
  renders
    .render(integration, {
      componentId: component,
      context: { type: "document", spaceId: space, editable: false, theme },
      ...asked
    })
    .pipe(
      Effect.map(({ json }) => ({ text: json, answer: readOutput(json) ?? ("failed" as const) })),
      Effect.timeout(patience),
      Effect.catch((failure) => {
        if (failure instanceof StorageError) return Effect.fail(failure)
        const answer = failure._tag === "IntegrationNotFound" ? "gone" : "failed"
        return Effect.succeed({ text: answer, answer } as const)
      })
    )

export interface Drawn {
  /** Texts of the results. A rendered page remains valid while they are equal. */
  readonly inputs: ReadonlyArray<string>
  /**
   * Returns the result for a block; `failed` beyond the limit of blocks. Undefined for an invalid block, for example
   * without a component.
   */
  readonly answerTo: (block: Block) => Answer | undefined
  /** False if a rendering failed, since the next request may succeed. */
  readonly isWhole: boolean
}

const nothing: Drawn = { inputs: [], answerTo: () => undefined, isWhole: true }

export const drawn = Effect.fnUntraced(function* (
  renders: Renders,
  space: SpaceId,
  document: Document,
  theme: "light" | "dark"
) {
  const asked = askedIn(document)
  if (asked.length === 0) return nothing
  const until = (yield* Clock.currentTimeMillis) + patienceInAll
  const late = { text: "failed", answer: "failed" } as const
  const answers = yield* Effect.forEach(
    asked,
    Effect.fnUntraced(function* (one) {
      const left = until - (yield* Clock.currentTimeMillis)
      if (left <= 0) return late
      return yield* ask(renders, space, one, theme).pipe(
        Effect.timeoutOrElse({ duration: left, orElse: () => Effect.succeed(late) })
      )
    }),
    { concurrency: atOnce }
  )
  const byQuestion = new Map(asked.map((one, i) => [questionOf(one), answers[i]!.answer] as const))
  return {
    inputs: answers.map(({ text }) => text),
    answerTo: (block) => {
      const one = askedBy(block)
      return one === undefined ? undefined : (byQuestion.get(questionOf(one)) ?? "failed")
    },
    isWhole: answers.every(({ answer }) => answer !== "failed")
  } satisfies Drawn
})

/**
 * Returns a block after a reader's action. An action that opens a dialog returns the dialog. When a dialog closes or
 * completes, its opener is rendered with its earlier props and state. The action `@ui.modal.close` passes the dialog's
 * return value to the opener. Undefined if the page has no such block.
 */
export const act = Effect.fnUntraced(function* (
  renders: Renders,
  space: SpaceId,
  document: Document,
  sent: BlockSubmission,
  theme: "light" | "dark"
) {
  const block = blocksOf(document).find((one) => one.key === sent.block)
  const own = block && askedBy(block)
  if (block === undefined || own === undefined) return undefined
  const { integration } = own

  const drawnBy = Effect.fnUntraced(function* (
    component: string,
    openers: ReadonlyArray<Opener>,
    asked: Partial<Asked>
  ) {
    const { answer } = yield* ask(renders, space, { integration, component, props: {}, ...asked }, theme)
    const dialog = component === own.component ? undefined : { component, openers }
    return { block, answer, dialog }
  })

  /** Renders the last opener of a dialog; without openers, renders the block of the page. */
  const back = (openers: ReadonlyArray<Opener>, returnValue: unknown) => {
    const opener = openers.at(-1)
    const { component = own.component, props = own.props, state } = opener ?? {}
    return drawnBy(component, openers.slice(0, -1), {
      props: freeOf(props),
      ...(state && { state: freeOf(state), action: { action: closeAction, returnValue: freeOf(returnValue) } })
    })
  }

  const { component, openers, props, state, action } = sent
  if (action["action"] === closeAction) return yield* back(openers, action["returnValue"])
  if (action["action"] === opening && typeof action["componentId"] === "string") {
    const around = [...openers, { component, props, state }]
    return yield* drawnBy(action["componentId"], around, { props: freeOf(action["props"]) })
  }
  const asked = { props: freeOf(props), state: freeOf(state), action: freeOf(action) }
  const drawn = yield* drawnBy(component ?? own.component, openers, asked)
  const { answer } = drawn
  return typeof answer === "object" && "returnValue" in answer ? yield* back(openers, answer.returnValue) : drawn
})

const freeOf = (value: unknown): Free => (isFields(value) ? (value as Free) : {})
