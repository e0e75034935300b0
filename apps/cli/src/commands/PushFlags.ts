/** Flags of the commands that use the API of a server. */
import { Flag } from "effect/cli"
import * as MarkdownFolder from "./MarkdownFolder.ts"

export const pushFlags = {
  folder: MarkdownFolder.argument,
  server: Flag.String("server").pipe(Flag.withDescription("URL of the server, such as https://docs.example.com")),
  space: Flag.String("space").pipe(Flag.withDescription("Id of the space")),
  changeRequest: Flag.String("change-request").pipe(Flag.withDescription("Name of the change request"), Flag.optional),
  tokenFile: Flag.String("token-file").pipe(
    Flag.withDescription("File with the token; default: the environment variable LECTERN_TOKEN"),
    Flag.optional
  )
}
