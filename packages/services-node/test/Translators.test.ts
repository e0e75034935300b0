/** Translation engines behind HTTP, each a real server on loopback that answers as real ones do, or as none should. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Translator, type TranslationRequest } from "@lectern/core/translation/Translator"
import { ChatTranslator } from "@lectern/services-node/translation/ChatTranslator"
import type { EngineOptions } from "@lectern/services-node/translation/EngineRequest"
import { LibreTranslate } from "@lectern/services-node/translation/LibreTranslate"
import { Effect, type Layer, Redacted } from "effect"
import { serving } from "./Servers.ts"

const secret = "sk-very-secret"

interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly body: any
}

type Answer = (asked: Asked, response: ServerResponse) => void

/** A server that notes what it is asked, and answers so. */
const engine = Effect.fnUntraced(function* (answer: Answer) {
  const asked: Array<Asked> = []
  const { url } = yield* serving((request, response) => {
    let text = ""
    request.on("data", (chunk: Buffer) => (text += chunk))
    request.on("end", () => {
      const one = {
        method: request.method!,
        path: request.url!,
        headers: request.headers,
        body: text === "" ? undefined : JSON.parse(text)
      }
      asked.push(one)
      answer(one, response)
    })
  })
  return { url, asked }
})

const json = (response: ServerResponse, value: unknown, status = 200, headers: Record<string, string> = {}) =>
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value))

const request: TranslationRequest = {
  texts: ['See <m id="1">this</m> &amp; <x id="2"/>', "Title"],
  from: "en",
  to: "de",
  instructions: undefined
}

const translate = (layer: Layer.Layer<Translator>, input: Partial<TranslationRequest> = {}) =>
  Effect.flatMap(Translator, (translator) => translator.translate({ ...request, ...input })).pipe(Effect.provide(layer))

const upper = (text: string) => text.toUpperCase()

const languages = ["en", "de", "zh-Hans", "zt", "pb", "nb", "fr"].map((code) => ({ code, name: code, targets: [] }))

/** Options and answers that both engines have in common. */
const engines = {
  libretranslate: {
    layer: (options: EngineOptions) => LibreTranslate.layer(options),
    path: "/translate",
    textsOf: ({ body }: Asked) => body.q as Array<string>,
    say: (texts: unknown): unknown => ({ translatedText: texts })
  },
  chat: {
    layer: (options: EngineOptions) => ChatTranslator.layer({ ...options, model: "small" }),
    path: "/chat/completions",
    textsOf: ({ body }: Asked) => JSON.parse(body.messages[1].content).texts as Array<string>,
    say: (texts: unknown): unknown => ({
      choices: [{ finish_reason: "stop", message: { content: JSON.stringify({ translations: texts }) } }]
    })
  }
}

for (const [name, { layer, path, textsOf, say }] of Object.entries(engines)) {
  describe(`Translator (${name})`, () => {
    const options = (url: string, more: Partial<EngineOptions> = {}): EngineOptions => ({
      url,
      key: Redacted.make(secret),
      pause: { milliseconds: 1 },
      ...more
    })
    const server = (answer: Answer) =>
      engine((asked, response) => (asked.path === "/languages" ? json(response, languages) : answer(asked, response)))

    it.live("asks for all texts at once, and gives the answers in order", () =>
      Effect.gen(function* () {
        const { url, asked } = yield* server((one, response) => json(response, say(textsOf(one).map(upper))))
        assert.deepStrictEqual(yield* translate(layer(options(`${url}/`))), request.texts.map(upper))
        const last = asked.at(-1)!
        assert.deepInclude(last, { method: "POST", path })
        assert.deepStrictEqual(textsOf(last), request.texts as Array<string>)
        assert.include(JSON.stringify([last.headers.authorization, last.body]), secret)
      })
    )

    it.live("waits for an engine that is busy, and asks again", () =>
      Effect.gen(function* () {
        const statuses = [429, 503]
        const { url, asked } = yield* server((one, response) => {
          const status = statuses.shift()
          if (status === undefined) json(response, say(textsOf(one)))
          else json(response, { error: "busy" }, status, { "retry-after": "0" })
        })
        assert.deepStrictEqual(yield* translate(layer(options(url))), request.texts)
        assert.lengthOf(
          asked.filter((one) => one.path === path),
          3
        )
      })
    )

    const wrong: ReadonlyArray<
      readonly [about: string, reason: string, message: RegExp, answer: Answer, asked: number]
    > = [
      [
        "stays busy",
        "refused",
        /answered 500: no more …$/,
        (_, response) => json(response, { error: { message: `no more ${secret}` } }, 500),
        4
      ],
      [
        "refuses the key",
        "refused",
        /answered 403: Invalid key …$/,
        (_, response) => json(response, { error: `Invalid key ${secret}` }, 403),
        1
      ],
      ["answers HTML", "invalid", /not answer in JSON/, (_, response) => response.end("<!doctype html>"), 1],
      ["answers nothing", "invalid", /not answer in JSON/, (_, response) => response.end(), 1],
      ["answers other JSON", "invalid", /answer/, (_, response) => json(response, ["a"]), 1],
      ["answers null", "invalid", /answer/, (_, response) => json(response, null), 1],
      ["answers numbers", "invalid", /answer/, (_, response) => json(response, say([1, 2])), 1],
      [
        "answers too much",
        "invalid",
        /more than 16 MiB/,
        (_, response) => {
          response.writeHead(200)
          const chunk = "x".repeat(1024 * 1024)
          const more = () => {
            while (!response.destroyed && response.write(chunk));
          }
          response.on("drain", more)
          more()
        },
        1
      ],
      ["ends the connection", "unreachable", /can't be reached/, (_, response) => response.destroy(), 4],
      [
        "redirects",
        "refused",
        /answered 307/,
        (_, response) => response.writeHead(307, { location: "http://example.com/" }).end(),
        1
      ]
    ]
    for (const [about, reason, message, answer, times] of wrong) {
      it.live(`tells of one that ${about}`, () =>
        Effect.gen(function* () {
          const { url, asked } = yield* server(answer)
          const failure = yield* Effect.flip(translate(layer(options(url))))
          assert.strictEqual(failure.reason, reason)
          assert.match(failure.message, message)
          assert.notInclude(JSON.stringify(failure) + String(failure), secret)
          assert.lengthOf(
            asked.filter((one) => one.path === path),
            times
          )
        })
      )
    }

    it.live("gives up on one that never answers", () =>
      Effect.gen(function* () {
        const { url, asked } = yield* server(() => {})
        const failure = yield* Effect.flip(translate(layer(options(url, { timeout: { milliseconds: 200 } }))))
        assert.deepInclude(failure, { reason: "timeout" })
        assert.match(failure.message, /did not answer within 200ms/)
        assert.lengthOf(
          asked.filter((one) => one.path === path),
          1
        )
      })
    )

    it.live("tells of one that is not there", () =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(translate(layer(options("http://127.0.0.1:9"))))
        assert.strictEqual(failure.reason, "unreachable")
      })
    )
  })
}

describe("LibreTranslate", () => {
  it.live("finds the engine's own names for languages, asked for once", () =>
    Effect.gen(function* () {
      const { url, asked } = yield* engine((one, response) =>
        json(response, one.path === "/languages" ? languages : { translatedText: one.body.q })
      )
      yield* Effect.gen(function* () {
        const translator = yield* Translator
        for (const [to, target] of [
          ["zh", "zh-Hans"],
          ["zh-tw", "zt"],
          ["pt-br", "pb"],
          ["no", "nb"],
          ["fr", "fr"]
        ] as const) {
          yield* translator.translate({ ...request, from: undefined, to })
          assert.deepInclude(asked.at(-1)!.body, { source: "auto", target, format: "html" })
          assert.notProperty(asked.at(-1)!.body, "api_key")
        }
        const failure = yield* Effect.flip(translator.translate({ ...request, to: "yue" }))
        assert.strictEqual(failure.message, "The translation engine does not have the language yue")
      }).pipe(Effect.provide(LibreTranslate.layer({ url })))
      assert.lengthOf(
        asked.filter(({ path }) => path === "/languages"),
        1
      )
    })
  )
})

describe("ChatTranslator", () => {
  const model = (url: string) => ChatTranslator.layer({ url, model: "small", pause: { milliseconds: 1 } })

  it.live("tells the model what it must know, and asks for JSON", () =>
    Effect.gen(function* () {
      const { url, asked } = yield* engine((_, response) => json(response, engines.chat.say(["Eins", "Zwei"])))
      yield* translate(model(url), { instructions: "Say **du**." })
      const [{ body, headers }] = asked as [Asked]
      assert.deepInclude(body, { model: "small", temperature: 0 })
      assert.strictEqual(body.response_format.json_schema.strict, true)
      const system = body.messages[0].content as string
      for (const told of ["English", "German", '<x id="…"/>', "Say **du**."]) assert.include(system, told)
      assert.isUndefined(headers.authorization)
    })
  )

  it.live("reads JSON out of a code block, and tells of answers that are cut or refused", () =>
    Effect.gen(function* () {
      const content = '```json\n{"translations": ["Eins", "Zwei"]}\n```'
      const answers: Array<unknown> = [
        { choices: [{ message: { content } }] },
        { choices: [{ finish_reason: "length", message: { content: '{"translations": ["Ei' } }] },
        { choices: [{ message: { refusal: "No." } }] },
        { choices: [{ message: { content: "Eins, Zwei" } }] },
        { choices: [] }
      ]
      const { url } = yield* engine((_, response) => json(response, answers.shift()))
      assert.deepStrictEqual(yield* translate(model(url)), ["Eins", "Zwei"])
      for (const message of [/stopped in the middle/, /refuses/, /not answer as it was asked/, /no text/]) {
        assert.match((yield* Effect.flip(translate(model(url)))).message, message)
      }
    })
  )
})
