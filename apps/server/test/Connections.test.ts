/** Connections are counted by whoever holds them, which for IPv6 is a network. */
import { EventEmitter } from "node:events"
import type { Server } from "node:net"
import { AddressRanges } from "@lectern/core/fetch/Addresses"
import { assert, it } from "@effect/vitest"
import * as Connections from "../src/edge/Connections.ts"

class Held extends EventEmitter {
  readonly remoteAddress: string
  isOpen = true

  constructor(remoteAddress: string) {
    super()
    this.remoteAddress = remoteAddress
  }

  destroy(): void {
    this.isOpen = false
  }
}

it("holds no more connections of a network of IPv6 than of an address of IPv4", () => {
  const server = new EventEmitter()
  const refused: Array<string> = []
  Connections.limitConnections(server as Server, 2, new AddressRanges([]), (address) => refused.push(address))
  const connect = (address: string) => {
    const held = new Held(address)
    server.emit("connection", held)
    return held
  }
  const [first, second, third] = [connect("2001:db8::1"), connect("2001:db8::2"), connect("2001:db8::3")]
  assert.deepStrictEqual([first.isOpen, second.isOpen, third.isOpen], [true, true, false])
  assert.deepStrictEqual(refused, ["2001:db8::3"])
  assert.isTrue(connect("2001:db8:0:1::").isOpen)
  assert.isTrue(connect("::ffff:192.0.2.1").isOpen)
  assert.isTrue(connect("192.0.2.1").isOpen)
  assert.isFalse(connect("::ffff:192.0.2.1").isOpen)
  first.emit("close")
  assert.isTrue(connect("2001:db8::4").isOpen)
})
