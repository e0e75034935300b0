/**
 * Response of a program to a render request, without nested elements: an element that can be a root, or the completion
 * of a component. Renderers check the rest and skip unsupported parts.
 */
import { Schema } from "effect"

const RenderedElement = Schema.Struct({
  // The client library lets programs omit the type, while renderers require it. The response is completed for them.
  type: Schema.optionalKey(Schema.Literal("element")),
  element: Schema.Struct({ type: Schema.Literals(["block", "modal", "configuration"]) })
})

const Completion = Schema.Struct({ type: Schema.Literal("complete") })

export const RenderOutput = Schema.Union([RenderedElement, Completion])
export type RenderOutput = typeof RenderOutput.Type

/** Returns true for a usable response to `ui_render`. */
export const isRenderOutput = Schema.is(RenderOutput)

export const isRenderedElement = Schema.is(RenderedElement)
