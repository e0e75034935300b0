/** Schema of references to content. */
import { Schema } from "effect"
import { atMost } from "./TextSchema.ts"

const Name = atMost(1024)

/** A reference to content. `kind` determines the other fields. Limits: 8,192 characters for a URL, 1,024 for a name. */
export const ContentRef = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("url"), url: atMost(8192) }),
  Schema.Struct({ kind: Schema.Literal("file"), file: Name, space: Schema.optionalKey(Name) }),
  Schema.Struct({ kind: Schema.Literal("page"), page: Name, space: Schema.optionalKey(Name) }),
  Schema.Struct({
    kind: Schema.Literal("anchor"),
    anchor: Name,
    page: Schema.optionalKey(Name),
    space: Schema.optionalKey(Name)
  }),
  Schema.Struct({ kind: Schema.Literal("user"), user: Name }),
  Schema.Struct({ kind: Schema.Literal("collection"), collection: Name }),
  Schema.Struct({ kind: Schema.Literal("space"), space: Name }),
  Schema.Struct({
    kind: Schema.Literal("reusable-content"),
    reusableContent: Name,
    space: Schema.optionalKey(Name)
  }),
  Schema.Struct({ kind: Schema.Literal("openapi"), spec: Name })
])
export type ContentRef = typeof ContentRef.Type
