/** A URL of this instance, and the content that it leads to (see `ContentUrls`). */
import { Schema } from "effect"
import { ChangeRequest } from "../change-request/ChangeRequest.ts"
import { Collection } from "../collection/Collection.ts"
import { Page } from "../content/ContentResources.ts"
import * as Text from "../schema/Text.ts"
import { Space } from "../space/Space.ts"

export const ContentUrl = Schema.Struct({ url: Text.HttpUrl.annotateKey({ description: "The URL to look up." }) })

/** Content at a URL. */
export const ContentAtUrl = Schema.Union([
  Schema.Struct({ collection: Collection }),
  Schema.Struct({ space: Space, changeRequest: Schema.optionalKey(ChangeRequest), page: Schema.optionalKey(Page) })
])
export type ContentAtUrl = typeof ContentAtUrl.Type
