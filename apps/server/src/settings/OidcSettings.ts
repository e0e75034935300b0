/** OpenID Connect providers of the whole server, as JSON in a setting (see `ServerProvider`). */
import { type ServerProvider, ServerProviderList } from "@lectern/core/sso/ServerProvider"
import { issuesOf } from "@lectern/core/schema/Input"
import { CommandFailed } from "@lectern/cli/CommandFailed"
import { Effect, Redacted, Result, Schema } from "effect"
import type { SettingValues } from "./Setting.ts"
import type { serverTable } from "./SettingTable.ts"

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(ServerProviderList))

/** Returns the providers of the server. Fails with the first problem of the JSON, without its values. */
export const oidcProviders = ({
  oidcProviders: text
}: SettingValues<typeof serverTable>): Effect.Effect<ReadonlyArray<ServerProvider>, CommandFailed> => {
  if (text === undefined) return Effect.succeed([])
  const result = decode(Redacted.value(text), { onExcessProperty: "error" })
  if (Result.isSuccess(result)) return Effect.succeed(result.success)
  const [issue] = issuesOf(result.failure.issue, "")
  const problem = issue === undefined ? "invalid" : `${issue.path === "" ? "" : `${issue.path}: `}${issue.message}`
  return Effect.fail(new CommandFailed({ message: `LECTERN_OIDC_PROVIDERS can't be used. ${problem}` }))
}
