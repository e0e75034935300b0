/** The log may hold less the less room there is; what would leave a log that can't be folded is refused. */
import { assert, describe, it } from "@effect/vitest"
import { StorageError } from "@lectern/core/storage/Storage"
import { LogCapacity } from "../../src/durability/LogCapacity.ts"

const mebibyte = 1024 * 1024

/** A disk whose file has so many pages; `asked` counts how often its room was. */
const diskOf = (free: number, pages: number) => {
  const disk = { bytes: free, pages, asked: 0 }
  return {
    disk,
    of: {
      free: () => {
        disk.asked++
        return disk.bytes
      },
      size: () => disk.pages * 4_096
    }
  }
}

const roomOn = (free: number, pages = 1_000) => {
  const { disk, of } = diskOf(free, pages)
  const allowed: Array<readonly [pages: number, kept: number | undefined]> = []
  const room = new LogCapacity("lectern.db", 4_096, 1_000, (...told) => allowed.push(told), of)
  /** Tells whether a commit is taken by which the database has so many pages more. */
  const takes = (rows: number, growth: number) => {
    try {
      room.check(rows, () => disk.pages + growth)
      return true
    } catch (thrown) {
      assert.strictEqual((thrown as StorageError).reason, "full")
      return false
    }
  }
  return { disk, allowed, takes }
}

describe("LogCapacity", () => {
  it("asks once in 31 rows where there is room, and refuses nothing", () => {
    const { disk, allowed, takes } = roomOn(10_000 * mebibyte)
    for (let i = 0; i < 310; i++) assert.isTrue(takes(1, 2_000))
    assert.strictEqual(disk.asked, 11)
    assert.isEmpty(allowed)
  })

  it("allows less the less room there is, and as much as before once there is", () => {
    const { disk, allowed, takes } = roomOn(100 * mebibyte)
    assert.isEmpty(allowed)
    for (const free of [48, 20, 100]) {
      disk.bytes = free * mebibyte
      assert.isTrue(takes(31, 0))
    }
    assert.deepStrictEqual(allowed, [
      [512, 512],
      [1, 256],
      [1_000, undefined]
    ])
  })

  it("refuses what doesn't fit into the log and into the file, and nothing that the file doesn't grow by", () => {
    const { disk, takes } = roomOn(mebibyte)
    assert.isTrue(takes(1, 100))
    assert.isFalse(takes(1, 130))
    disk.bytes = 100 * 1024
    assert.isTrue(takes(1, 1))
    assert.isFalse(takes(1, 4))
    disk.bytes = 0
    assert.isFalse(takes(1, 1))
    assert.isTrue(takes(500, 0))
    assert.isTrue(takes(0, 0))
    disk.bytes = mebibyte
    assert.isTrue(takes(1, 100))
  })
})
