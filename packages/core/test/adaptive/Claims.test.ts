import { assert, describe, it } from "@effect/vitest"
import {
  limitClaims,
  canonical,
  type Claims,
  fromToken,
  maxBytes,
  maxDepth,
  unsignedFrom,
  unsignedFromUrl,
  withUnsigned
} from "@lectern/core/adaptive/Claims"
import * as fc from "fast-check"
import { runs } from "../Runs.ts"

const size = (claims: Claims) => new TextEncoder().encode(canonical(claims)).length
const ofUrl = (query: string, sent?: unknown) => unsignedFromUrl(new URL(`https://docs.example.com/a?${query}`), sent)

/** A value that nests this deep. */
const deep = (depth: number): unknown => (depth === 0 ? 1 : [deep(depth - 1)])

describe("the claims of a token", () => {
  it("are what it says of the visitor", () => {
    const payload = { iss: "i", sub: "s", aud: "a", exp: 1, nbf: 2, iat: 3, jti: "j", plan: "pro", unsigned: { a: 1 } }
    assert.deepStrictEqual(fromToken(payload), { plan: "pro" })
  })

  it("leave out what is no JSON", () => {
    const cycle: Array<unknown> = []
    cycle.push(cycle)
    const tangle = Array.from({ length: 40 }).reduce<unknown>((below) => [below, below], 1)
    const claims = {
      a: undefined,
      b: () => 1,
      c: Symbol("c"),
      d: 1n,
      e: Number.NaN,
      f: Number.POSITIVE_INFINITY,
      g: new Date(0),
      h: new Map(),
      i: [1, undefined],
      j: { of: { of: () => 1 } },
      k: cycle,
      l: tangle,
      m: "\ud800",
      n: { "\ud800": 1 },
      o: deep(maxDepth),
      "\ud800": 1,
      "": 1,
      kept: { list: [1, "a", null, true, {}], missing: undefined },
      deep: deep(maxDepth - 1)
    }
    assert.deepStrictEqual(fromToken(claims), {
      kept: { list: [1, "a", null, true, {}] },
      deep: deep(maxDepth - 1)
    } as Claims)
  })

  it("can't change what objects are", () => {
    const claims = fromToken(JSON.parse('{"__proto__": {"x": 1}, "a": {"__proto__": {"x": 1}, "b": 1}}'))
    assert.deepStrictEqual(Object.keys(claims), ["a"])
    assert.deepStrictEqual(claims["a"], { b: 1 })
    assert.strictEqual(Object.getPrototypeOf(claims["a"]), Object.prototype)
    const all = withUnsigned(claims, ofUrl("visitor.__proto__.x=1&visitor.a.__proto__.x=1&visitor.constructor.x=1"))
    assert.deepStrictEqual(all, { a: { b: 1 }, unsigned: { constructor: { x: "1" } } } as never)
    assert.isUndefined(({} as Record<string, unknown>)["x"])
    assert.isFalse(Object.hasOwn(Object, "x"))
  })
})

describe("unsigned claims", () => {
  it.each<readonly [string, Claims]>([
    ["", {}],
    ["plan=pro&visitors.plan=pro&Visitor.plan=pro", {}],
    ["visitor.plan=pro&visitor.beta=true&visitor.old=false", { plan: "pro", beta: true, old: false }],
    ["visitor.seats=12&visitor.x=&visitor.n=null", { seats: "12", x: "", n: "null" }],
    ["visitor.a.b=1&visitor.a.c.d=2", { a: { b: "1", c: { d: "2" } } }],
    ["visitor.a=1&visitor.a=2", { a: "2" }],
    ["visitor.a=1&visitor.a.b=2", { a: { b: "2" } }],
    ["visitor.a.b=2&visitor.a=1", { a: "1" }],
    ["visitor.a%20b=caf%C3%A9", { "a b": "café" }],
    ["visitor.=1&visitor=1&visitor..a=1&visitor.a.=1&visitor.a..b=1", {}],
    [`visitor.${"n".repeat(100)}=1&visitor.${"m".repeat(101)}=1`, { ["n".repeat(100)]: "1" }],
    [`visitor.${"a.".repeat(maxDepth)}a=1`, {}],
    ["visitor.unsigned.a=1&visitor.exp=2", { unsigned: { a: "1" }, exp: "2" }]
  ])("of ?%s", (query, claims) => {
    assert.deepStrictEqual(ofUrl(query), claims)
  })

  it("come from a cookie too; the URL counts before it", () => {
    assert.deepStrictEqual(ofUrl("visitor.a=1", { a: 2, b: [3], __proto__: { c: 4 } }), { a: "1", b: [3] })
    for (const sent of [undefined, null, "a", 1, ["a"], () => 1]) {
      assert.deepStrictEqual(ofUrl("visitor.a=1", sent), { a: "1" })
      assert.deepStrictEqual(unsignedFrom(sent), {})
    }
  })

  it("stand under `unsigned` alone, and nothing else does", () => {
    assert.deepStrictEqual(withUnsigned({ a: 1 }, { a: 2 }), { a: 1, unsigned: { a: 2 } })
    assert.deepStrictEqual(withUnsigned({ a: 1, unsigned: { admin: true } }, {}), { a: 1 })
    assert.deepStrictEqual(withUnsigned({ a: 1, unsigned: { admin: true } }, undefined), { a: 1 })
  })
})

describe("limits", () => {
  it("the largest go first, and unsigned ones before signed ones", () => {
    const large = { banned: true, text: "x".repeat(1500) }
    const claims = limitClaims(withUnsigned(large, { small: "a", big: "y".repeat(1500), medium: "z".repeat(500) }))
    assert.deepStrictEqual(claims, { ...large, unsigned: { small: "a", medium: "z".repeat(500) } })
    assert.deepStrictEqual(fromToken({ a: "x".repeat(1500), b: "y".repeat(1501), c: 1 }), { a: "x".repeat(1500), c: 1 })
  })

  it("bytes count, to the last one", () => {
    const filling = (length: number) => ({ a: "é".repeat(10), b: "x".repeat(length) })
    const most = maxBytes - size(filling(0))
    assert.strictEqual(size(filling(most)), maxBytes)
    assert.deepStrictEqual(limitClaims(filling(most)), filling(most))
    assert.deepStrictEqual(limitClaims(filling(most + 1)), { a: "é".repeat(10) })
    const signed = { s: 1 }
    const room = maxBytes - size({ ...signed, unsigned: filling(0) })
    const full = withUnsigned(signed, filling(room))
    assert.strictEqual(size(full), maxBytes)
    assert.deepStrictEqual(limitClaims(full), full)
    assert.deepStrictEqual(limitClaims(withUnsigned(signed, filling(room + 1))), {
      s: 1,
      unsigned: { a: "é".repeat(10) }
    })
    const none = { b: "x".repeat(maxBytes - size({ b: "" })) }
    assert.strictEqual(size(none), maxBytes)
    assert.deepStrictEqual(limitClaims(withUnsigned(none, { a: 1 })), none)
  })

  const object = fc.dictionary(
    fc.string({ unit: "grapheme" }),
    fc.oneof(fc.jsonValue(), fc.string({ maxLength: 3000 }))
  )

  it("whatever is sent, what is known stays within them, and the same is the same text", () => {
    fc.assert(
      fc.property(object, object, fc.dictionary(fc.string(), fc.string()), (payload, sent, query) => {
        const url = new URL("https://docs.example.com")
        for (const [name, value] of Object.entries(query)) url.searchParams.append(`visitor.${name}`, value)
        const claims = limitClaims(withUnsigned(fromToken(payload), unsignedFromUrl(url, sent)))
        assert.isTrue(size(claims) <= maxBytes)
        assert.deepStrictEqual(limitClaims(claims), claims)
        assert.deepStrictEqual(JSON.parse(canonical(claims)), JSON.parse(JSON.stringify(claims)))
        const turned = Object.fromEntries(Object.entries(claims).toReversed())
        assert.strictEqual(canonical(turned), canonical(claims))
      }),
      runs()
    )
  })

  it("canonical text has sorted keys on every level", () => {
    assert.strictEqual(
      canonical({ b: 1, a: { d: [{ f: 1, e: null }], c: "x" } }),
      '{"a":{"c":"x","d":[{"e":null,"f":1}]},"b":1}'
    )
  })
})
