/** Errors of edits of content. `path` leads to the part that is wrong, as in `body.changes[3].into`. */
import { Schema } from "effect"
import { Issues } from "../../schema/Input.ts"

const path = Schema.optionalKey(Schema.String)

/** The input itself is wrong. */
export class InvalidChange extends Schema.TaggedError<InvalidChange>()(
  "InvalidChange",
  { issues: Issues },
  { httpApiStatus: 400 }
) {
  override get message(): string {
    return this.issues[0]?.message ?? "The change is not valid"
  }
}

/** One part of the input is wrong: its path in the body, and a sentence. */
export const invalid = (path: string, message: string) => new InvalidChange({ issues: [{ path, message }] })

export class ContentPageNotFound extends Schema.TaggedError<ContentPageNotFound>()(
  "ContentPageNotFound",
  { page: Schema.String, path },
  { httpApiStatus: 404 }
) {
  override get message(): string {
    return `There is no page ${this.page}`
  }
}

/** Another page under the same parent has this slug. */
export class SlugTaken extends Schema.TaggedError<SlugTaken>()(
  "SlugTaken",
  {
    slug: Schema.String,
    parent: Schema.NullOr(Schema.String),
    /** The page that has it. */
    page: Schema.String,
    path
  },
  { httpApiStatus: 409 }
) {
  override get message(): string {
    return `The page ${this.page} has the slug "${this.slug}" already`
  }
}

/** A page can't stand under itself or under a page below it. */
export class PageCycle extends Schema.TaggedError<PageCycle>()(
  "PageCycle",
  { page: Schema.String, into: Schema.String, path },
  { httpApiStatus: 409 }
) {
  override get message(): string {
    return `The page ${this.page} can't be moved below itself`
  }
}

/** The space would hold more pages, or nest them deeper, than it may. */
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
