import { routeOf } from "@lectern/http/server/Routes"
import { assert, it } from "@effect/vitest"
import { endpoints } from "./Endpoints.ts"

it("names the route of every endpoint, and of nothing else", () => {
  for (const { method, segments } of endpoints) {
    const path = segments.map((segment) => (segment.startsWith(":") ? "some-thing" : segment)).join("/")
    assert.strictEqual(routeOf(method, path), segments.join("/"))
  }
  assert.strictEqual(routeOf("HEAD", "/v1/user"), "/v1/user")
  for (const path of ["", "/", "/v1", "/v1/spaces//content", "/v1/user/", "/secret"])
    assert.strictEqual(routeOf("GET", path), "")
  assert.strictEqual(routeOf("TRACE", "/v1/user"), "")
})
