import { assert, describe, it } from "@effect/vitest"
import { type FeedEvent, outdatedQueries } from "../src/feed/EventQueries.ts"

const event = (type: string, fields: Partial<FeedEvent> = {}): FeedEvent => ({
  id: "1",
  type,
  organization: "org",
  ...fields
})

const keysOf = (one: FeedEvent, number?: number) =>
  outdatedQueries(one, () => number).map(({ exact, queryKey }) => `${queryKey.join("/")}${exact ? "" : "/*"}`)

const change = { space: "coffee", changeRequest: "id" }

describe("Events in the console", () => {
  for (const [one, number, expected] of [
    [
      event("change_request_content_updated", { ...change, revision: "r" }),
      3,
      ["change-request/coffee/3", "change-request/coffee/3/changes/*", "content/coffee/3/*"]
    ],
    [event("change_request_content_updated", { ...change, revision: "r" }), undefined, []],
    [
      event("change_request_merged", change),
      3,
      ["content/coffee/main/*", "change-request/coffee/*", "change-requests/coffee/*", "space/coffee/*"]
    ],
    [
      event("space_content_updated", { space: "coffee" }),
      undefined,
      ["content/coffee/main/*", "change-request/coffee/*"]
    ],
    [event("change_request_created", change), undefined, ["change-requests/coffee/*", "space/coffee/*"]],
    [
      event("change_request_status_updated", change),
      3,
      ["change-requests/coffee/*", "space/coffee/*", "change-request/coffee/3/*"]
    ],
    [event("change_request_reviewed", change), 3, ["change-request/coffee/3/*"]],
    [event("change_request_check_updated", change), undefined, []],
    [event("comment_posted", { space: "coffee" }), undefined, ["comments/coffee/*"]],
    [event("comment_posted", change), 3, ["comments/coffee/*", "change-request/coffee/3"]],
    [event("space_updated", { space: "coffee" }), undefined, ["space/coffee/*", "spaces/org/*"]],
    [
      event("space_restored", { space: "coffee" }),
      undefined,
      ["space/coffee/*", "spaces/org/*", "deleted-spaces/org/*"]
    ],
    [event("site_published"), undefined, ["sites/org/*"]],
    [event("collection_moved"), undefined, ["collections/org/*", "spaces/org/*"]],
    [event("member_joined"), undefined, ["members/org/*"]],
    [event("webhook_created"), undefined, []]
  ] as const)
    it(`make responses out of date: ${one.type}, change request ${number ?? "not read"}`, () =>
      assert.deepStrictEqual(keysOf(one, number), [...expected]))
})
