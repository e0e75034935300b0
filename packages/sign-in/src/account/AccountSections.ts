/**
 * Sections of the overview of an account, such as passkeys and second factors. They are shown only to sessions that may
 * change the account.
 */
import type { StorageError } from "@lectern/core/storage/Storage"
import type { UserRow } from "@lectern/core/user/User"
import type { Html } from "@lectern/site/html/Html"
import { Context, type Effect } from "effect"
import type { PageRequest } from "../server/PageRequest.ts"

export type AccountSection = (request: PageRequest, user: UserRow) => Effect.Effect<Html, StorageError>

export const AccountSections = Context.Reference<ReadonlyArray<AccountSection>>(
  "@lectern/sign-in/account/AccountSections",
  { defaultValue: () => [] }
)
