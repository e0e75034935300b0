/**
 * Request to an integration to render a component, with its properties, its context, and the user's last action on it.
 *
 * Limit: 256 KiB of JSON.
 */
import { Schema } from "effect"
import * as Text from "../schema/Text.ts"

const Free = Schema.Record(Schema.String, Schema.Json)
const Id = Text.between(1, 256)
const Theme = Schema.Literals(["dark", "light"])

/** Context of a component. It determines the installation that renders it. */
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
  /** Id of the component in the manifest. */
  componentId: Text.between(1, 100),
  /** Properties of the component. */
  props: Free,
  /** Place in which the component is rendered. */
  context: RenderContext,
  /** State of the component. Default: the initial state. */
  state: Schema.optionalKey(Free),
  /** Action of the reader to which the component reacts. Default: none. */
  action: Schema.optionalKey(Free)
}).check(
  Schema.makeFilter((request) =>
    JSON.stringify(request).length > maxBytes ? "Expected at most 256 KiB of JSON" : undefined
  )
)
export type RenderRequest = typeof RenderRequest.Type

/** Raised if the integration refused the request. The message is the program's own. */
export class RenderRejected extends Schema.TaggedError<RenderRejected>()(
  "RenderRejected",
  { message: Schema.String },
  { httpApiStatus: 400 }
) {}

/** Raised if the program failed, returned an unusable response, or no runtime is available. */
export class RenderFailed extends Schema.TaggedError<RenderFailed>()(
  "RenderFailed",
  { message: Schema.String },
  { httpApiStatus: 502 }
) {}
