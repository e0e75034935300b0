/**
 * Request to an integration to draw: a component with its properties, its place, and somebody's last action on
 * it.
 *
 * Limit: 256 KiB of JSON.
 */
import { Schema } from "effect"
import * as Text from "../schema/Text.ts"

const Free = Schema.Record(Schema.String, Schema.Json)
const Id = Text.between(1, 256)
const Theme = Schema.Literals(["dark", "light"])

/** Place of a component. It decides which installation is asked. */
export const RenderContext = Schema.Union([
  Schema.Struct({
    type: Schema.Literal("document"),
    spaceId: Id,
    editable: Schema.optionalKey(Schema.Boolean),
    theme: Schema.optionalKey(Theme)
  }),
  Schema.Struct({
    type: Schema.Literal("configuration_account"),
    organizationId: Id,
    theme: Schema.optionalKey(Theme)
  }),
  Schema.Struct({ type: Schema.Literal("configuration_space"), spaceId: Id, theme: Schema.optionalKey(Theme) }),
  Schema.Struct({ type: Schema.Literal("configuration_site"), siteId: Id, theme: Schema.optionalKey(Theme) }),
  Schema.Struct({
    type: Schema.Literal("configuration_contentsource"),
    organizationId: Id,
    spaceId: Schema.optionalKey(Id),
    theme: Schema.optionalKey(Theme)
  })
])
export type RenderContext = typeof RenderContext.Type

const maxBytes = 256 * 1024

export const RenderRequest = Schema.Struct({
  componentId: Text.between(1, 100),
  props: Free,
  context: RenderContext,
  state: Schema.optionalKey(Free),
  action: Schema.optionalKey(Free)
}).check(
  Schema.makeFilter((request) =>
    JSON.stringify(request).length > maxBytes ? "Expected at most 256 KiB of JSON" : undefined
  )
)
export type RenderRequest = typeof RenderRequest.Type

/** The integration answered that it can't draw this; its own words. */
export class RenderRejected extends Schema.TaggedError<RenderRejected>()(
  "RenderRejected",
  { message: Schema.String },
  { httpApiStatus: 400 }
) {}

/** Nothing that can be drawn came of it: the program failed, or nothing runs here. */
export class RenderFailed extends Schema.TaggedError<RenderFailed>()(
  "RenderFailed",
  { message: Schema.String },
  { httpApiStatus: 502 }
) {}
