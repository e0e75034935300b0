import { groupServices } from "@lectern/core/ServiceGroups"
import { assert, it } from "@effect/vitest"

it("groups services by their paths, in any order", () => {
  assert.deepStrictEqual(
    groupServices([
      ["sites.redirects", { list: 1 }],
      ["sites", { get: 2 }],
      ["content.pages.links", { list: 3 }]
    ]),
    { sites: { redirects: { list: 1 }, get: 2 }, content: { pages: { links: { list: 3 } } } }
  )
})

it("refuses a service with the name of a method", () => {
  const method = () => undefined
  const message = /redirects is the name of a service and of a method/
  assert.throws(
    () =>
      groupServices([
        ["sites", { redirects: method }],
        ["sites.redirects", {}]
      ]),
    message
  )
  assert.throws(
    () =>
      groupServices([
        ["sites.redirects", {}],
        ["sites", { redirects: method }]
      ]),
    message
  )
})
