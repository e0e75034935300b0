/**
 * Answer of a program that is to draw, in outline: an element of a type that can be the root of a drawing, or the end
 * of a component. The rest is for whoever draws it, who leaves out what it does not know.
 */
import { Schema } from "effect"

const Drawing = Schema.Struct({
  // The client lets programs leave it out; renderers tell the two apart by it, so they are answered with it.
  type: Schema.optionalKey(Schema.Literal("element")),
  element: Schema.Struct({ type: Schema.Literals(["block", "modal", "configuration"]) })
})

const End = Schema.Struct({ type: Schema.Literal("complete") })

export const RenderOutput = Schema.Union([Drawing, End])
export type RenderOutput = typeof RenderOutput.Type

/** Nothing else can be used of what a program answers to `ui_render`. */
export const isRenderOutput = Schema.is(RenderOutput)

export const isDrawing = Schema.is(Drawing)
