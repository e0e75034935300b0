/**
 * Steps that the commands have in common that work on the data: they open it beside a server that may be
 * running on it, act as its operator, who may do everything, and print one answer.
 */
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { AuditOrigin } from "@lectern/core/audit/AuditTrail"
import { Effect, type Layer } from "effect"
import { CommandFailed } from "../CommandFailed.ts"
import type * as Data from "../Data.ts"
import { hasData } from "../DataFolder.ts"
import * as HeapGrowth from "../HeapGrowth.ts"
import * as Logs from "../Logs.ts"
import { type Answer, print } from "../Output.ts"
import { dataSettings } from "../settings/Settings.ts"

type Services = Layer.Success<ReturnType<typeof Data.layer>> | CurrentActor

type Given = Parameters<typeof dataSettings>[0]

/**
 * Each answer is printed when it is there; the first that fails is the end. A folder without data is refused: who
 * mistook it for another would be told that all is well in it.
 */
export const operate = <E>(given: Given, ...answers: ReadonlyArray<Effect.Effect<Answer, E, Services>>) =>
  Effect.gen(function* () {
    const { data } = yield* dataSettings(given)
    if (!hasData(data)) return yield* new CommandFailed({ message: `There is no data in ${data}` })
    return yield* operateAnew(given, ...answers)
  })

/** The same, for what may begin the data of a folder. */
export const operateAnew = <E>(given: Given, ...answers: ReadonlyArray<Effect.Effect<Answer, E, Services>>) =>
  Effect.gen(function* () {
    const settings = yield* dataSettings(given)
    HeapGrowth.begin()
    const data = yield* Effect.promise(() => import("../Data.ts"))
    return yield* Effect.forEach(
      answers,
      Effect.flatMap((answer) => print(settings.json, answer)),
      { discard: true }
    ).pipe(
      Effect.provideService(CurrentActor, host),
      Effect.provideService(AuditOrigin, { isCommandLine: true }),
      Effect.provide(data.layer(settings)),
      Effect.provide(Logs.layer(settings.logLevel))
    )
  })
