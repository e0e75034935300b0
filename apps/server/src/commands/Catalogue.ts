/** `lectern catalogue`: lists, publishes and unpublishes the integrations that are shipped with Lectern. */
import { Integrations } from "@lectern/core/integration/Integrations"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { items, publish as publishItem, state } from "../Catalogue.ts"
import { CommandFailed } from "@lectern/cli/CommandFailed"
import { columns } from "@lectern/cli/Output"
import { dataFlags } from "../settings/Settings.ts"
import { operate } from "./Operator.ts"

const name = Argument.String("name").pipe(Argument.withDescription("Name of the integration, see: lectern catalogue"))

const itemOf = Effect.fnUntraced(function* (name: string) {
  const item = (yield* items()).find((item) => item.name === name.toLowerCase())
  return (
    item ?? (yield* new CommandFailed({ message: `This version of Lectern does not include the integration ${name}` }))
  )
})

const publish = Command.make("publish", { ...dataFlags, name }, (flags) =>
  operate(
    flags,
    Effect.gen(function* () {
      const item = yield* itemOf(flags.name)
      if (!(yield* publishItem(item, ["missing", "older", "unpublished", "changed"]))) {
        const isTaken = (yield* state(item)) === "taken"
        return yield* new CommandFailed({
          message: isTaken
            ? `Another organization has an integration named ${item.name}`
            : `${item.name} is published already and up to date`
        })
      }
      return { json: { name: item.name, status: "published" }, text: `${item.name} is published` }
    })
  )
).pipe(Command.withDescription("Publish an integration again, as shipped with this version"))

const unpublish = Command.make("unpublish", { ...dataFlags, name }, (flags) =>
  operate(
    flags,
    Effect.gen(function* () {
      const item = yield* itemOf(flags.name)
      const now = yield* state(item)
      if (now === "taken" || now === "missing" || now === "unpublished") {
        return yield* new CommandFailed({ message: `${item.name} of the catalogue is not published` })
      }
      yield* (yield* Integrations).unpublish(item.name)
      return { json: { name: item.name, status: "unpublished" }, text: `${item.name} is unpublished` }
    })
  )
).pipe(Command.withDescription("Unpublish an integration for all organizations. Later starts do not publish it again"))

export const Catalogue = Command.make("catalogue", dataFlags, (flags) =>
  operate(
    flags,
    Effect.gen(function* () {
      const integrations = yield* Effect.forEach(yield* items(), (item) =>
        Effect.map(state(item), (status) => ({ name: item.name, title: item.body().title, status }))
      )
      return {
        json: { integrations },
        text:
          integrations.length === 0
            ? "This server includes no integrations"
            : columns(integrations.map(({ name, title, status }) => [name, `${status}  ${title}`]))
      }
    })
  )
).pipe(
  Command.withDescription("List, publish and unpublish the integrations that are shipped with Lectern"),
  Command.withSubcommands([publish, unpublish])
)
