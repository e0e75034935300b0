/** Creates the first space of a new site: empty, or with sample pages. */
import { Effect } from "effect"
import { LiveEdits } from "../content/edits/LiveEdits.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { inOneLine } from "../schema/Text.ts"
import { maxTitle, type SpaceId } from "../space/Space.ts"
import { Spaces } from "../space/Spaces.ts"
import { makeTemplateContents } from "../template/contents/TemplateContents.ts"
import type { Template } from "../template/Template.ts"

const samplePages: Template = {
  id: "sample",
  title: "Sample pages",
  description: "The pages of a new site.",
  pages: () => [
    {
      title: "Welcome",
      markdown:
        "This space was made with your site. Change this page, or delete it and begin with your own.\n\n" +
        '{% hint style="info" %}\nEdits are proposed as change requests, discussed, and merged.\n{% endhint %}\n'
    },
    {
      title: "Getting started",
      markdown: "1. Open a change request.\n2. Edit a page, or add one.\n3. Merge it: the site shows it at once.\n"
    },
    {
      title: "Publish your site",
      markdown: "A site that is published is open to its audience: everyone, those with a link, or those who sign on.\n"
    }
  ]
}

export const makeStarterSpaces = Effect.gen(function* () {
  const spaces = yield* Spaces
  const edits = yield* LiveEdits
  const templates = yield* makeTemplateContents

  const insertSample = Effect.fnUntraced(function* (space: SpaceId) {
    const base = yield* edits.begin(space)
    const pages = yield* templates.insert(base.content, samplePages)
    if (pages !== undefined) yield* edits.commit({ base, ...pages })
  })

  return {
    make: Effect.fnUntraced(function* (
      organization: OrganizationId,
      kind: "sample" | "empty",
      title: string | undefined
    ) {
      const { id } = yield* spaces
        .create(organization, title === undefined ? {} : { title: inOneLine(title, maxTitle) })
        .pipe(Effect.catchTags({ InvalidPosition: Effect.die, TemplateNotFound: Effect.die }))
      // The pages are valid, so only the store can fail. An actor who may create spaces but not edit them gets an
      // empty one.
      if (kind === "sample") {
        yield* insertSample(id).pipe(
          Effect.catchIf(
            (error) => error._tag !== "StorageError",
            () => Effect.void
          )
        )
      }
      return id
    })
  }
})
