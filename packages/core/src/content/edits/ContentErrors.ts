/**
 * Errors of edits of content. `path` is the path of the invalid part in the request body, such as
 * `body.changes[3].into`.
 */
import { Schema } from "effect"
import { Issues } from "../../schema/Input.ts"

const path = Schema.optionalKey(Schema.String)

/** Raised if the input is invalid. */
export class InvalidChange extends Schema.TaggedError<InvalidChange>()(
  "InvalidChange",
  { issues: Issues },
  { httpApiStatus: 400 }
) {
  override get message(): string {
    return this.issues[0]?.message ?? "The change is not valid"
  }
}

/** Returns an error for one invalid part of the input: its path in the body, and a message. */
export const invalid = (path: string, message: string) => new InvalidChange({ issues: [{ path, message }] })

/** Raised if the content has no such page. */
export class ContentPageNotFound extends Schema.TaggedError<ContentPageNotFound>()(
  "ContentPageNotFound",
  { page: Schema.String, path },
  { httpApiStatus: 404 }
) {
  override get message(): string {
    return `There is no page ${this.page}`
  }
}

/** Raised if another page with the same parent has this slug. */
export class SlugTaken extends Schema.TaggedError<SlugTaken>()(
  "SlugTaken",
  {
    slug: Schema.String,
    parent: Schema.NullOr(Schema.String),
    /** Id of the page that has the slug. */
    page: Schema.String,
    path
  },
  { httpApiStatus: 409 }
) {
  override get message(): string {
    return `The page ${this.page} has the slug "${this.slug}" already`
  }
}

/** Raised if a page would move below itself or one of its descendants. */
export class PageCycle extends Schema.TaggedError<PageCycle>()(
  "PageCycle",
  { page: Schema.String, into: Schema.String, path },
  { httpApiStatus: 409 }
) {
  override get message(): string {
    return `The page ${this.page} can't be moved below itself`
  }
}

/** Raised if a space would exceed the maximum number of pages, nesting depth or number of computed pages. */
export class ContentLimitReached extends Schema.TaggedError<ContentLimitReached>()(
  "ContentLimitReached",
  { limit: Schema.Literals(["pages", "depth", "computed"]), max: Schema.Int },
  { httpApiStatus: 400 }
) {
  override get message(): string {
    switch (this.limit) {
      case "pages":
        return `A space holds at most ${this.max} pages`
      case "depth":
        return `Pages nest at most ${this.max} levels deep`
      case "computed":
        return `A space holds at most ${this.max} computed pages`
    }
  }
}
