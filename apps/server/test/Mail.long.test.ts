/** A person's day by mail and requests alone, and mails of a server that is killed. */
import { afterEach, assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  headerOf,
  mailServer,
  type ReceivedMail,
  reply,
  textOf
} from "../../../packages/services-node/test/MailServer.ts"
import { begunServer, cleanUp, lecternJson, serve, type Server } from "./LecternProcess.ts"

const clock = new URL("ShiftedClock.ts", import.meta.url).href

type MailServer = Effect.Success<ReturnType<typeof mailServer>>

const settings = ({ port }: MailServer) => ({
  LECTERN_SMTP_URL: `smtp://127.0.0.1:${port}`,
  LECTERN_MAIL_FROM: "Acme Docs <docs@example.com>"
})

/** Restarts a server on its data, an hour later. */
const hourLater = async (server: Server, mail: MailServer) => {
  await server.signal("SIGTERM")
  const env = { ...settings(mail), NODE_OPTIONS: `--import=${clock}`, SHIFT_HOURS: "1" }
  return serve(server.ready.data, { env, token: server.token })
}

/** Browser without scripts: it keeps cookies and sends the headers that browsers send. */
class Browser {
  readonly #cookies = new Map<string, string>()
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  async send(method: string, path: string, body?: URLSearchParams | object) {
    const isForm = body instanceof URLSearchParams
    const response = await fetch(this.#url + path, {
      method,
      redirect: "manual",
      headers: {
        origin: new URL(this.#url).origin,
        "sec-fetch-site": "same-origin",
        cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(body !== undefined && !isForm && { "content-type": "application/json" })
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) })
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";")
      this.#cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1))
    }
    return { status: response.status, text: await response.text() }
  }

  /** Calls the API with the cookie of the session. */
  async call(method: string, path: string, status: number, body?: object): Promise<any> {
    const response = await this.send(method, path, body)
    assert.strictEqual(response.status, status, response.text)
    return response.text === "" ? undefined : JSON.parse(response.text)
  }

  /** Opens the link of a mail and presses its button. */
  async follow(mail: ReceivedMail) {
    const path = /(\/-\/link\?token=[\w-]+)/.exec(textOf(mail))![1]!
    assert.strictEqual((await this.send("GET", path)).status, 303)
    assert.strictEqual((await this.send("GET", "/-/link")).status, 200)
    assert.strictEqual((await this.send("POST", "/-/link", new URLSearchParams())).status, 303)
  }
}

/** Resolves when a server has logged this number of failed mails. */
const failedMails = (server: Server, count: number) =>
  new Promise<void>((resolve) => {
    let log = ""
    server.child.stderr!.on("data", (chunk: Buffer) => {
      log += chunk
      if (log.split("A mail failed").length > count) resolve()
    })
  })

const invite = async (server: Server, email: string) => {
  const { organization } = server.ready
  return server.call("POST", `/v1/orgs/${organization.id}/invites`, { emails: [email], role: "edit" })
}

describe("Mail", () => {
  afterEach(cleanUp)

  it.live("takes a person from an invitation to a merged change request", () =>
    Effect.gen(function* () {
      const mail = yield* mailServer({ disabledCommands: ["STARTTLS"] })
      yield* Effect.promise(async () => {
        let server = await begunServer({ env: settings(mail) })
        const { user: administrator, space } = server.ready
        const { status, body } = await invite(server, "grace@example.com")
        assert.strictEqual(status, 200, JSON.stringify(body))
        assert.isUndefined(body.invites[0].urls.link)
        const [invitation] = await mail.mailsTo("grace@example.com")
        assert.strictEqual(headerOf(invitation!.source).get("subject"), "Invitation to My organization")

        const grace = new Browser(server.url)
        await grace.follow(invitation!)
        const { email } = await grace.call("GET", "/v1/user", 200)
        assert.strictEqual(email, "grace@example.com")
        const spaces = `/v1/spaces/${space.id}`
        const { id } = await grace.call("POST", `${spaces}/change-requests`, 201, { subject: "A page about mail" })
        const changes = [{ operation: "insert_page", title: "Mail", document: { markdown: "It arrives." } }]
        await grace.call("POST", `${spaces}/change-requests/${id}/content?compat=false`, 200, { changes })
        await grace.call("POST", `${spaces}/change-requests/${id}/requested-reviewers`, 200, {
          users: [administrator.id]
        })

        server = await hourLater(server, mail)
        const [asked] = await mail.mailsTo(administrator.email)
        assert.include(textOf(asked!), "A page about mail")
        assert.match(headerOf(asked!.source).get("list-unsubscribe") ?? "", /^<http.*\/mail\/unsubscribe\?/)

        const admin = new Browser(server.url)
        const form = new URLSearchParams({ email: administrator.email })
        assert.strictEqual((await admin.send("POST", "/-/sign-in/link", form)).status, 200)
        const [, link] = await mail.mailsTo(administrator.email, 2)
        assert.strictEqual(headerOf(link!.source).get("subject"), "Your link to sign in")
        await admin.follow(link!)
        await admin.call("POST", `${spaces}/change-requests/${id}/reviews`, 201, { status: "approved" })
        const { result } = await admin.call("POST", `${spaces}/change-requests/${id}/merge`, 200)
        assert.strictEqual(result, "merge")
        await server.signal("SIGTERM")
      })
    }).pipe(Effect.scoped)
  )

  it.live("is listed with the reason of the mail server that refused it, and sent by another attempt", () =>
    Effect.gen(function* () {
      const mail = yield* mailServer({ disabledCommands: ["STARTTLS"] })
      yield* Effect.promise(async () => {
        mail.replies.recipient = (address) =>
          address.startsWith("grace@")
            ? reply(450, "4.2.0 Greylisted, come back later")
            : reply(550, "5.1.1 No such mailbox")
        let server = await begunServer({ env: settings(mail) })
        const failures = failedMails(server, 2)
        const { data } = server.ready
        const listed = async (status: string) => {
          const args = ["jobs", "--kind", "mail", "--status", status, "--data", data]
          return (await lecternJson<{ jobs: ReadonlyArray<any> }>(args)).jobs
        }
        await invite(server, "grace@example.com")
        await invite(server, "eve@example.com")
        await failures
        // The server stores results that it logged before it ends.
        await server.signal("SIGTERM")
        const [waiting, ...othersWaiting] = await listed("waiting")
        assert.deepInclude(waiting, { mail: "invitation", attempts: 1 })
        assert.match(waiting.failure, /450.*Greylisted/)
        assert.isString(waiting.nextRunAt)
        const [failed, ...othersFailed] = await listed("failed")
        assert.deepInclude(failed, { mail: "invitation", attempts: 1 })
        assert.match(failed.failure, /550.*No such mailbox/)
        assert.lengthOf([...othersWaiting, ...othersFailed, ...mail.received], 0)

        delete mail.replies.recipient
        server = await hourLater(server, mail)
        await mail.mailsTo("grace@example.com")
        await lecternJson(["jobs", "retry", failed.id, "--data", data])
        await mail.mailsTo("eve@example.com")
        await server.signal("SIGTERM")
        const done = (await listed("done")).map(({ id }) => id)
        assert.sameMembers(done, [waiting.id, failed.id])
      })
    }).pipe(Effect.scoped)
  )

  it.live("arrives if the server is killed, with an equal Message-ID if it was accepted before", () =>
    Effect.gen(function* () {
      const mail = yield* mailServer({ disabledCommands: ["STARTTLS"] })
      yield* Effect.promise(async () => {
        const server = await begunServer({ env: settings(mail) })
        const { data } = server.ready
        // The mail server takes the mail, and Lectern is killed before it knows.
        mail.replies.accept = () => "stall"
        await invite(server, "grace@example.com")
        await mail.mailsTo("grace@example.com")
        await server.signal("SIGKILL")
        mail.replies.accept = () => undefined
        const again = await serve(data, { env: settings(mail), token: server.token })
        const copies = await mail.mailsTo("grace@example.com", 2)
        const ids = copies.map(({ source }) => headerOf(source).get("message-id"))
        assert.strictEqual(ids[0], ids[1])
        await again.signal("SIGTERM")
        const { jobs } = await lecternJson<{ jobs: ReadonlyArray<any> }>([
          "jobs",
          "--kind",
          "mail",
          "--status",
          "done",
          "--data",
          data
        ])
        assert.deepStrictEqual(
          jobs.map(({ mail, status }) => [mail, status]),
          [["invitation", "done"]]
        )
        assert.strictEqual(mail.received.length, 2)
      })
    }).pipe(Effect.scoped)
  )
})
