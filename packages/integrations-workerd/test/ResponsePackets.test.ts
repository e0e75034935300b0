/** Packets of answers, however they come, and what is none. */
import { assert, describe, it } from "@effect/vitest"
import { ResponsePackets, type PacketItem } from "@lectern/integrations-workerd/ResponsePackets"

const packet = (line: unknown, ...bodies: ReadonlyArray<string>) =>
  Buffer.from(`${typeof line === "string" ? line : JSON.stringify(line)}\n${bodies.join("")}`)

const reader = (maxBytes = 100) => {
  const told: Array<PacketItem> = []
  return { told, packets: new ResponsePackets(2, maxBytes, (one) => told.push(one)) }
}

const seen = (told: ReadonlyArray<PacketItem>) =>
  told.map(({ number, status, rawHeaders, isDone, body }) => [
    number,
    status,
    rawHeaders,
    isDone,
    body instanceof Uint8Array ? Buffer.from(body).toString() : body
  ])

const sent = Buffer.concat([
  packet(
    [
      [7, 200, ["a", "ü"], true, 6],
      [8, 404, [], false, null],
      [9, 500, [], true, 0]
    ],
    "a\n[[]]"
  ),
  packet([[8, 404, [], true, "cut off"]]),
  packet([[10, 200, [], true, 100]], "x".repeat(100))
])

const expected = [
  [7, 200, ["a", "ü"], true, "a\n[[]]"],
  [8, 404, [], false, undefined],
  [9, 500, [], true, ""],
  [8, 404, [], true, "cut off"],
  [10, 200, [], true, "x".repeat(100)]
]

describe("ResponsePackets", () => {
  it("reads packets wherever what comes of them is cut", () => {
    for (let size = 1; size <= sent.length; size++) {
      const { told, packets } = reader()
      for (let at = 0; at < sent.length; at += size) assert.isTrue(packets.push(sent.subarray(at, at + size)))
      assert.deepStrictEqual(seen(told), expected, `${size} at once`)
    }
  })

  it("reads nothing of what the entry does not write, and no longer bodies and lines than may be", () => {
    const others: ReadonlyArray<unknown> = [
      "no JSON",
      {},
      [1],
      [[]],
      [["1", 200, [], true, 0]],
      [[1, "200", [], true, 0]],
      [[1, 200, {}, true, 0]],
      [[1, 200, [1], true, 0]],
      [[1, 200, [], "true", 0]],
      [[1, 200, [], true, -1]],
      [[1, 200, [], true, 0.5]],
      [[1, 200, [], true, 101]],
      [[1, 200, [], true, "lost"]]
    ]
    for (const line of others) {
      const { told, packets } = reader()
      assert.isFalse(packets.push(packet(line, "x".repeat(200))), JSON.stringify(line))
      assert.isEmpty(told)
    }
    const { packets } = reader()
    const part = Buffer.alloc(100 * 1024, "x")
    let taken = 0
    while (packets.push(part)) taken++
    assert.isAtMost(taken, 6)
  })
})
