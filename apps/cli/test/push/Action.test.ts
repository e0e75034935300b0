/** The action for GitHub: its steps, with the real command against a real server, and a `gh` that logs its arguments. */
import { spawnSync } from "node:child_process"
import { chmodSync, existsSync, readFileSync } from "node:fs"
import { delimiter, join, resolve } from "node:path"
import * as GitbookYaml from "@lectern/exchange/import/GitbookYaml"
import { Result } from "effect"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { begunServer, cleanUp, type Server, temporaryFolder } from "../../../server/test/LecternProcess.ts"
import { version } from "../../src/Version.ts"
import { folderOnBranch, newSpace, write } from "./PushSteps.ts"

interface Step {
  readonly name?: string
  readonly run?: string
}

const root = resolve(import.meta.dirname, "../../../..")
const action: any = Result.getOrThrow(GitbookYaml.readYaml(readFileSync(join(root, "action.yml"), "utf8")))
const steps: ReadonlyArray<Step> = action.runs.steps

let server: Server
beforeAll(async () => {
  server = await begunServer()
})
afterAll(cleanUp)

/** Runs steps as a runner does. Returns the output, the outputs of the action, and the calls of `gh`. */
const runSteps = (names: ReadonlyArray<string>, variables: Readonly<Record<string, string>>) => {
  const temporary = temporaryFolder()
  const bin = temporaryFolder()
  write(bin, {
    npx: `#!/bin/sh\nshift 2\nexec "${process.execPath}" "${inject("bundledServer")}" "$@"\n`,
    gh: `#!/bin/sh\necho "$*" >> "${temporary}/gh"\ncase "$*" in *--jq*) echo "$EXISTING_COMMENT";; esac\n`
  })
  for (const name of ["npx", "gh"]) chmodSync(join(bin, name), 0o755)
  const env = {
    PATH: `${bin}${delimiter}${process.env["PATH"]}`,
    RUNNER_TEMP: temporary,
    GITHUB_OUTPUT: join(temporary, "outputs"),
    VERSION: version,
    ...variables
  }
  const outputs = names.map((name) => {
    const script = steps.find((step) => step.name === name)!.run!
    return spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], { env, encoding: "utf8" })
  })
  const read = (name: string) => (existsSync(join(temporary, name)) ? readFileSync(join(temporary, name), "utf8") : "")
  return { temporary, outputs, values: read("outputs"), calls: read("gh"), comment: read("lectern.md") }
}

const pushOf = async (folder: string, name: string) => ({
  LECTERN_TOKEN: server.token,
  FOLDER: folder,
  SERVER: server.url,
  SPACE: await newSpace(server),
  NAME: name,
  MERGE: "auto",
  EVENT: "pull_request",
  REPOSITORY: "acme/docs",
  NUMBER: "7"
})

describe("the action", () => {
  it("installs the version that it belongs to", () => {
    assert.strictEqual(action.inputs.version.default, version)
  })

  it("pushes a pull request, and comments with links", async () => {
    const folder = folderOnBranch({ "README.md": "# Welcome\n\n[Gone](gone.md)\n" })
    const marker = join(temporaryFolder(), "marker")
    const variables = await pushOf(folder, `feature/$(touch ${marker})`)
    const names = ["Push the folder", "Comment on the pull request"]
    const first = runSteps(names, variables)
    assert.deepStrictEqual(
      first.outputs.map(({ status, stderr }) => [status, stderr]),
      [
        [0, ""],
        [0, ""]
      ]
    )
    assert.match(first.values, /^change-request=http.*\nnumber=1\nrevision=\w+\npreview=\nchanges=1\nconflicts=0\n$/)
    assert.include(
      first.comment,
      `<!-- lectern ${variables.SPACE} -->\nThe documentation has 1 changes and 0 conflicts.`
    )
    assert.include(first.comment, "gone.md")
    assert.include(first.calls, "repos/acme/docs/issues/7/comments --field body=@")
    assert.isFalse(existsSync(marker))
    const again = runSteps(names, { ...variables, EXISTING_COMMENT: "42" })
    assert.include(again.calls, "--method PATCH repos/acme/docs/issues/comments/42")
    const { body } = await server.call("GET", `/v1/spaces/${variables.SPACE}/change-requests`)
    assert.deepStrictEqual(
      body.items.map(({ status }: { readonly status: string }) => status),
      ["open"]
    )
  })

  it("merges for other events, and checks and builds the folder without a token", async () => {
    const folder = folderOnBranch({ "README.md": "# Welcome\n" })
    const variables = { ...(await pushOf(folder, "main")), EVENT: "push" }
    const { outputs } = runSteps(["Push the folder"], variables)
    assert.strictEqual(outputs[0]!.status, 0, outputs[0]!.stderr)
    const { body } = await server.call("GET", `/v1/spaces/${variables.SPACE}/change-requests?status=all`)
    assert.strictEqual(body.items[0].status, "merged")
    const checked = runSteps(["Check the folder"], {
      FOLDER: folderOnBranch({ "README.md": "# A\n\n[Gone](gone.md)\n" })
    })
    assert.strictEqual(checked.outputs[0]!.status, 1)
    assert.include(checked.outputs[0]!.stdout, "::error file=")
    const built = runSteps(["Build the site"], { FOLDER: folder })
    assert.strictEqual(built.outputs[0]!.status, 0, built.outputs[0]!.stderr)
    assert.isTrue(existsSync(join(built.temporary, "lectern-site/index.html")))
  })
})
