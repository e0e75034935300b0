/**
 * Common steps of commands that use the data. They open the data while a server may be running, act as the operator, who
 * has all permissions, and print one result.
 */
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { AuditOrigin } from "@lectern/core/audit/AuditTrail"
import { Effect, type Layer } from "effect"
import { CommandFailed } from "@lectern/cli/CommandFailed"
import type * as Data from "../Data.ts"
import { hasData } from "../DataFolder.ts"
import * as HeapGrowth from "@lectern/cli/HeapGrowth"
import * as Logs from "@lectern/cli/Logs"
import { type CommandOutput, print } from "@lectern/cli/Output"
import { dataSettings } from "../settings/Settings.ts"

type Services = Layer.Success<ReturnType<typeof Data.layer>> | CurrentActor

type OperatorFlags = Parameters<typeof dataSettings>[0]

/**
 * Runs effects one after another and prints each result. Stops at the first failure. A folder without data is rejected,
 * since an operator who chose the wrong folder would get a success message.
 */
export const operate = <E>(
  flags: OperatorFlags,
  ...results: ReadonlyArray<Effect.Effect<CommandOutput, E, Services>>
) =>
  Effect.gen(function* () {
    const { data } = yield* dataSettings(flags)
    if (!hasData(data)) return yield* new CommandFailed({ message: `No data found in ${data}` })
    return yield* operateOrCreate(flags, ...results)
  })

/** Like `operate`, but creates the data of an empty folder. */
export const operateOrCreate = <E>(
  flags: OperatorFlags,
  ...results: ReadonlyArray<Effect.Effect<CommandOutput, E, Services>>
) =>
  Effect.gen(function* () {
    const settings = yield* dataSettings(flags)
    HeapGrowth.observeCollections()
    const data = yield* Effect.promise(() => import("../Data.ts"))
    return yield* Effect.forEach(
      results,
      Effect.flatMap((result) => print(settings.json, result)),
      { discard: true }
    ).pipe(
      Effect.provideService(CurrentActor, host),
      Effect.provideService(AuditOrigin, { isCommandLine: true }),
      Effect.provide(data.layer(settings)),
      Effect.provide(Logs.layer(settings.logLevel))
    )
  })
