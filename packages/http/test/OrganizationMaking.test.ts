/** Users who may make organizations, and how many, as the operator sets it. */
import { Effect } from "effect"
import { Harness, has, onMemory, refused } from "./Harness.ts"
import { join } from "./Steps.ts"

const make = (person: "admin" | "create" | "guest" | "outsider") =>
  Effect.flatMap(Harness, ({ call }) => call(person, "POST", "/v1/orgs", { title: "Own" }))

onMemory("Organizations by who administers one", (it) => {
  it.effect("takes an administrator, of whichever organization, who is not disabled", () =>
    Effect.gen(function* () {
      const { elsewhere, users } = yield* Harness
      yield* make("outsider").pipe(has(201))
      yield* make("admin").pipe(has(201))
      for (const person of ["create", "guest"] as const) yield* make(person).pipe(refused(403))
      yield* join(elsewhere, users.create, "admin")
      yield* make("create").pipe(has(201))
    })
  )
})

onMemory(
  "Organizations by anyone",
  (it) => {
    it.effect("are as many as the quota allows each", () =>
      Effect.gen(function* () {
        const { organization, users } = yield* Harness
        for (const person of ["guest", "create"] as const) {
          yield* make(person).pipe(has(201))
          yield* make(person).pipe(has(201))
          yield* make(person).pipe(refused(409))
        }
        // It counts who made them, whoever administers them.
        yield* join(organization, users.guest, "admin")
        yield* make("guest").pipe(refused(409))
        yield* make("admin").pipe(has(201))
      })
    )
  },
  { organizations: { creators: "anyone", perUser: 2 } }
)

onMemory(
  "Organizations by the operator",
  (it) => {
    it.effect("are made by nobody else", () =>
      Effect.forEach(["admin", "outsider", "guest"] as const, (person) => make(person).pipe(refused(403)))
    )
  },
  { organizations: { creators: "operator" } }
)
