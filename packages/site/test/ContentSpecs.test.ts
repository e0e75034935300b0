/** Specs that the pages of a site show: those that their blocks name, and those in files of the space. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { onMemory } from "../../http/test/Harness.ts"
import { createSpec, ofSpecs, processed } from "../../http/test/OpenApiSteps.ts"
import { publishedSite } from "../../http/test/SiteSteps.ts"
import { createSpace, insertPage, publish } from "../../http/test/Steps.ts"
import { clientOf } from "./McpClient.ts"
import { asking, hasStatus } from "./SiteHarness.ts"

const specOf = (path: string) =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Pets", version: "1" },
    servers: [{ url: "https://api.pets.test" }],
    paths: {
      [path]: {
        get: { summary: `Asks ${path}`, description: "All of <b>them</b>", responses: { 200: { description: "Fine" } } }
      }
    }
  })

onMemory("Pages of a site", (it) => {
  it.effect("show operations of specs in files, once these are read", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const space = yield* createSpace({ title: "API" })
      const files = [
        { name: "pets.json", ref: "pets", base64: btoa(specOf("/pets")) },
        { name: "again.json", ref: "again", base64: btoa(specOf("/pets")) },
        { name: "broken.yaml", ref: "broken", base64: btoa("openapi: 3.1.0\npaths: [") },
        { name: "unused.json", ref: "unused", base64: btoa(specOf("/unused")) }
      ]
      const { insertedFiles = [] } = yield* publish(space.id, [{ operation: "insert_files", files }])
      const idOf = (name: string) => insertedFiles.find((file) => file.name === name)?.id ?? ""
      const block = (src: string, path = "/pets", more = "") =>
        `{% openapi src="${src}" path="${path}" method="get"${more} %}\n[x](y)\n{% endopenapi %}`
      yield* publish(space.id, [
        insertPage("Start", block(`/files/${idOf("pets.json")}`)),
        insertPage(
          "Tabs",
          `{% tabs %}\n{% tab title="x" %}\n${block(`/files/${idOf("again.json")}`)}\n{% endtab %}\n{% endtabs %}`
        ),
        insertPage("Broken", block(`/files/${idOf("broken.yaml")}`)),
        insertPage("Missing", block("/files/none")),
        insertPage("Away", block("https://api.pets.test/spec.json")),
        insertPage("Other", block(`/files/${idOf("pets.json")}`, "/none"))
      ])
      const base = (yield* publishedSite([space.id])).urls.published ?? ""
      /** The page once it has a part: reading begins with the first who asks, and takes a few turns. */
      const drawn = Effect.fnUntraced(function* (path: string, part: string, turns = 2_000) {
        for (let i = 0; ; i++) {
          const { text } = yield* ask(base + path).pipe(hasStatus(200))
          if (text.includes(part) || i === turns) return text
          yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
        }
      })
      const first = yield* ask(base).pipe(hasStatus(200))
      assert.include(first.text, "api-part")
      for (const path of ["", "tabs"]) {
        const text = yield* drawn(path, "api-head")
        assert.include(text, "api-head", path)
        assert.notInclude(text, "<b>them", path)
        assert.match(text, /<lectern-try data-from="[^"]*spec=%2Ffiles%2F/)
      }
      const form =
        /<lectern-try data-from="([^"]*)"/.exec(yield* drawn("", "api-head"))?.[1]?.replaceAll("&amp;", "&") ?? ""
      yield* ask(new URL(form, base).href).pipe(hasStatus(200))
      for (const path of ["broken", "missing", "away", "other"]) {
        const text = yield* drawn(path, "api-head", 20)
        assert.notInclude(text, "api-head", path)
        assert.include(text, "api-part", path)
      }
    })
  )

  it.effect("tell agents of operations of all specs that their blocks show, and of no others", () =>
    Effect.gen(function* () {
      for (const slug of ["shown", "hidden", "private"]) {
        const { id } = yield* createSpec(slug, specOf(`/${slug}`))
        yield* processed(id)
        if (slug !== "private") yield* ofSpecs("PATCH", `/${slug}`, { visibility: "public" })
      }
      const space = yield* createSpace({ title: "API" })
      const block = (spec: string) =>
        `{% openapi-operation spec="${spec}" path="/${spec}" method="get" %}\n\n{% endopenapi-operation %}`
      yield* publish(space.id, [
        insertPage("Start", `${block("shown")}\n\n${block("private")}`),
        insertPage("Else", `{% if visitor.claims.unsigned.beta %}\n${block("hidden")}\n{% endif %}`)
      ])
      const base = (yield* publishedSite([space.id])).urls.published ?? ""
      const { call } = yield* clientOf(base)
      const { found } = yield* call("getOperation", { method: "GET", path: "/shown" })
      assert.deepInclude(found, { title: "Asks /shown", spec: "shown" })
      for (const path of ["/hidden", "/private", "/none"]) {
        assert.isTrue((yield* call("getOperation", { method: "get", path })).isError, path)
      }
    })
  )

  it.effect("tell agents of operations of specs in files that the reader sees, read at the first call", () =>
    Effect.gen(function* () {
      const space = yield* createSpace({ title: "API" })
      const file = (name: string, text = specOf(`/${name.split(".")[0]}`)) => ({ name, ref: name, base64: btoa(text) })
      const files = [
        file("shown.json"),
        file("linked.yaml"),
        file("hidden.json"),
        file("unused.json"),
        file("data.json", "[]"),
        file("broken.yaml", "openapi: 3.1.0\npaths: [")
      ]
      const { insertedFiles = [] } = yield* publish(space.id, [{ operation: "insert_files", files }])
      const urlOf = (name: string) => `/files/${insertedFiles.find((file) => file.name === name)?.id}`
      const block = (name: string, path: string) =>
        `{% openapi src="${urlOf(name)}" path="${path}" method="get" %}\n[x](y)\n{% endopenapi %}`
      yield* publish(space.id, [
        insertPage("Start", `${block("broken.yaml", "/broken")}\n\n${block("shown.json", "/shown")}`),
        insertPage("Else", `{% if visitor.claims.unsigned.beta %}\n${block("hidden.json", "/hidden")}\n{% endif %}`),
        insertPage("Files", `[The spec](${urlOf("linked.yaml")}), [data](${urlOf("data.json")})`)
      ])
      const base = (yield* publishedSite([space.id])).urls.published ?? ""
      const { call } = yield* clientOf(base)
      const { found } = yield* call("getOperation", { method: "GET", path: "/shown" })
      assert.deepInclude(found, { title: "Asks /shown", spec: "shown.json" })
      assert.include(found.markdown, "Fine")
      const linked = yield* call("getOperation", { method: "get", path: "/linked" })
      assert.deepInclude(linked.found, { spec: "linked.yaml" })
      for (const path of ["/hidden", "/unused", "/broken", "/none"]) {
        assert.isTrue((yield* call("getOperation", { method: "get", path })).isError, path)
      }
    })
  )
})
