import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { runs } from "../../../packages/core/test/Runs.ts"
import { parseMessages } from "../src/feed/EventStream.ts"

const stream =
  ': \nid: a\n\nid: b\nevent: space_created\ndata: {"id":"b","type":"space_created","organization":"o"}\n\n' +
  'id: c\nevent: space_updated\ndata: {"id":"c","type":"space_updated","organization":"o"}\n\n: \nid: d\n\n'

describe("The stream of events", () => {
  it("has the same events and positions, wherever it is cut", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(stream.length)), (cuts) => {
        const ends = [...cuts, stream.length].sort((a, b) => a - b)
        const events: Array<string> = []
        let position: string | undefined
        let text = ""
        let start = 0
        for (const end of ends) {
          const messages = parseMessages(text + stream.slice(start, end))
          events.push(...messages.events.map(({ id }) => id))
          position = messages.position ?? position
          text = messages.rest
          start = end
        }
        assert.deepStrictEqual(events, ["b", "c"])
        assert.strictEqual(position, "d")
        assert.strictEqual(text, "")
      }),
      runs()
    )
  })
})
