/** Creates the first space of a new site: empty, or with sample pages. */
import { Effect } from "effect"
import { file } from "../content/import/Folder.ts"
import { FolderImports } from "../content/import/FolderImports.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { inOneLine } from "../schema/Text.ts"
import { maxTitle } from "../space/Space.ts"
import { Spaces } from "../space/Spaces.ts"

const sample = [
  file(
    "README.md",
    "# Welcome\n\nThis space was made with your site. Change this page, or delete it and begin with your own.\n\n" +
      '{% hint style="info" %}\nEdits are proposed as change requests, discussed, and merged.\n{% endhint %}\n'
  ),
  file(
    "getting-started.md",
    "# Getting started\n\n1. Open a change request.\n2. Edit a page, or add one.\n3. Merge it: the site shows it at once.\n"
  ),
  file(
    "publish-your-site.md",
    "# Publish your site\n\nA site that is published is open to its audience: everyone, those with a link, or those who sign on.\n"
  ),
  file(
    "SUMMARY.md",
    "# Table of contents\n\n* [Welcome](README.md)\n* [Getting started](getting-started.md)\n* [Publish your site](publish-your-site.md)\n"
  )
]

export const makeStarterSpaces = Effect.gen(function* () {
  const spaces = yield* Spaces
  const imports = yield* FolderImports

  return {
    make: Effect.fnUntraced(function* (
      organization: OrganizationId,
      kind: "sample" | "empty",
      title: string | undefined
    ) {
      const { id } = yield* spaces
        .create(organization, title === undefined ? {} : { title: inOneLine(title, maxTitle) })
        .pipe(Effect.catchTags({ InvalidPosition: Effect.die, TemplateNotFound: Effect.die }))
      // The folder is valid, so only the store can fail. An actor who may create spaces but not edit them gets an
      // empty one.
      if (kind === "sample") {
        yield* imports.importFolder(id, { files: sample }).pipe(
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
