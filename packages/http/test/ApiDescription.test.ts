/** The description of the interface is made in steps, and is what it would be if it were made at once. */
import { LecternApi } from "@lectern/http/api/LecternApi"
import * as ApiDescription from "@lectern/http/server/ApiDescription"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { OpenApi } from "effect/http-api"

it.effect("The description of the interface is that of the whole", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* ApiDescription.description, OpenApi.fromApi(LecternApi))
  })
)

it.effect("The page to read it on holds it, and no end of a script in it", () =>
  Effect.gen(function* () {
    const description = yield* ApiDescription.description
    const summary = "Ends a </script>"
    const given = new TextEncoder().encode(JSON.stringify({ ...description, summary }))
    const html = new TextDecoder().decode(yield* ApiDescription.inSteps.page(given))
    const [, json] = /content: (\{.*\})$/m.exec(html)!
    assert.deepStrictEqual(JSON.parse(json!), JSON.parse(JSON.stringify({ ...description, summary })))
    assert.notInclude(json!, "</script>")
  })
)
