/** `lectern search rebuild` */
import * as SearchReset from "@lectern/adapter-sqlite/SearchReset"
import { rebuild as rebuildIndex } from "@lectern/core/search/indexing/SearchRebuild"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { databaseIn } from "../DataFolder.ts"
import * as ProgressBar from "../ProgressBar.ts"
import { dataFlags, dataSettings } from "../settings/Settings.ts"
import { operate } from "./Operator.ts"

const rebuild = Command.make("rebuild", dataFlags, (given) =>
  operate(
    given,
    Effect.gen(function* () {
      // Behind it nothing is lost that says to be there: what is emptied is told to be unknown in the next step.
      yield* SearchReset.reset(databaseIn((yield* dataSettings(given)).data))
      const bar = given.json ? undefined : ProgressBar.make("Reading spaces")
      const spaces = yield* rebuildIndex((progress) =>
        bar === undefined ? Effect.void : bar.show({ ...progress, path: progress.space })
      ).pipe(Effect.ensuring(bar?.end ?? Effect.void))
      return {
        json: { spaces },
        text: `The search index of ${spaces === 1 ? "one space" : `${spaces.toLocaleString("en")} spaces`} was made anew`
      }
    })
  )
).pipe(Command.withDescription("Empty the search index and read all spaces into it anew, while the server runs or not"))

export const Search = Command.make("search").pipe(
  Command.withDescription("Make the search index anew"),
  Command.withSubcommands([rebuild])
)
