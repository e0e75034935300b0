/** `lectern search rebuild`: rebuilds the search index of all spaces. */
import * as SearchReset from "@lectern/adapter-sqlite/tables/SearchReset"
import { rebuild as rebuildIndex } from "@lectern/core/search/indexing/SearchRebuild"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { databaseIn } from "../DataFolder.ts"
import * as ProgressBar from "../ProgressBar.ts"
import { dataFlags, dataSettings } from "../settings/Settings.ts"
import { operate } from "./Operator.ts"

const rebuild = Command.make("rebuild", dataFlags, (flags) =>
  operate(
    flags,
    Effect.gen(function* () {
      // If the process ends after the reset, no page counts as indexed: the reset marks all spaces as not indexed.
      yield* SearchReset.reset(databaseIn((yield* dataSettings(flags)).data))
      const bar = flags.json ? undefined : ProgressBar.make("Reading spaces")
      const spaces = yield* rebuildIndex((progress) =>
        bar === undefined ? Effect.void : bar.show({ ...progress, path: progress.space })
      ).pipe(Effect.ensuring(bar?.end ?? Effect.void))
      return {
        json: { spaces },
        text: `The search index of ${spaces === 1 ? "one space" : `${spaces.toLocaleString("en")} spaces`} was rebuilt`
      }
    })
  )
).pipe(Command.withDescription("Empty the search index and index all spaces again. The server may be running"))

export const Search = Command.make("search").pipe(
  Command.withDescription("Rebuild the search index"),
  Command.withSubcommands([rebuild])
)
