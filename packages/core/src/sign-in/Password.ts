/** Password of a user: its argon2id hash with parameters and salt (`$argon2id$v=19$m=…,t=…,p=…$salt$hash`). */
import { Schema } from "effect"
import { Timestamp } from "../schema/Text.ts"
import * as Table from "../storage/Table.ts"
import { UserId } from "../user/User.ts"

export const PasswordRow = Schema.Struct({ user: UserId, hash: Schema.String, changedAt: Timestamp })

export const PasswordTable = Table.make("password", PasswordRow, { key: ["user"] })
