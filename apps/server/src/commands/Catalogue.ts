/** `lectern catalogue`: the integrations that come with Lectern, and whether they are published here. */
import { Integrations } from "@lectern/core/integration/Integrations"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { items, publish as publishItem, state } from "../Catalogue.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { columns } from "../Output.ts"
import { dataFlags } from "../settings/Settings.ts"
import { operate } from "./Operator.ts"

const name = Argument.String("name").pipe(Argument.withDescription("Its name, see: catalogue"))

const itemOf = Effect.fnUntraced(function* (name: string) {
  const item = (yield* items()).find((item) => item.name === name.toLowerCase())
  return item ?? (yield* new CommandFailed({ message: `No integration ${name} comes with this version of Lectern` }))
})

const publish = Command.make("publish", { ...dataFlags, name }, (given) =>
  operate(
    given,
    Effect.gen(function* () {
      const item = yield* itemOf(given.name)
      if (!(yield* publishItem(item, ["missing", "older", "unpublished", "changed"]))) {
        const isTaken = (yield* state(item)) === "taken"
        return yield* new CommandFailed({
          message: isTaken ? `The name ${item.name} is somebody else's` : `${item.name} is published as it came`
        })
      }
      return { json: { name: item.name, status: "published" }, text: `${item.name} is published` }
    })
  )
).pipe(Command.withDescription("Publish one again, as it came with this version"))

const unpublish = Command.make("unpublish", { ...dataFlags, name }, (given) =>
  operate(
    given,
    Effect.gen(function* () {
      const item = yield* itemOf(given.name)
      const now = yield* state(item)
      if (now === "taken" || now === "missing" || now === "unpublished") {
        return yield* new CommandFailed({ message: `${item.name} of the catalogue is not published` })
      }
      yield* (yield* Integrations).unpublish(item.name)
      return { json: { name: item.name, status: "unpublished" }, text: `${item.name} is unpublished` }
    })
  )
).pipe(Command.withDescription("Unpublish one, wherever it is installed. No later start publishes it again"))

export const Catalogue = Command.make("catalogue", dataFlags, (given) =>
  operate(
    given,
    Effect.gen(function* () {
      const integrations = yield* Effect.forEach(yield* items(), (item) =>
        Effect.map(state(item), (status) => ({ name: item.name, title: item.body().title, status }))
      )
      return {
        json: { integrations },
        text:
          integrations.length === 0
            ? "No integrations come with this server"
            : columns(integrations.map(({ name, title, status }) => [name, `${status}  ${title}`]))
      }
    })
  )
).pipe(
  Command.withDescription("List the integrations that come with Lectern, publish or unpublish one"),
  Command.withSubcommands([publish, unpublish])
)
