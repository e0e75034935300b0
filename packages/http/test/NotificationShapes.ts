/** Shapes of notifications and watches, as the interface promises them. Written apart from the schemas of the core. */
import { Schema } from "effect"
import { Count, DateTime, Id, kind, Text, Url, User } from "./Shapes.ts"

const maybe = Schema.optionalKey
const titled = Schema.Struct({ id: Id, title: Text })

export const Notification = Schema.Struct({
  ...kind("notification"),
  id: Id,
  kind: Text,
  read: Schema.Boolean,
  createdAt: DateTime,
  actor: maybe(User),
  organization: titled,
  space: maybe(titled),
  changeRequest: maybe(Schema.Struct({ id: Id, number: Count, subject: Text })),
  page: maybe(titled),
  comment: maybe(Schema.Struct({ id: Id, reply: maybe(Id), text: Text })),
  review: maybe(Schema.Struct({ id: Id, status: Text })),
  content: maybe(Schema.Struct({ kind: Text, id: Id, title: Text })),
  subject: maybe(Text),
  outcome: maybe(Schema.Literals(["done", "failed", "proved", "lost"])),
  emoji: maybe(Text),
  role: maybe(Schema.NullOr(Text)),
  urls: Schema.Struct({ location: Url, target: Url })
})

export const NotificationList = Schema.Struct({
  next: maybe(Schema.Struct({ page: Text })),
  count: Count,
  unread: Count,
  items: Schema.Array(Notification)
})

export const Watch = Schema.Struct({
  ...kind("watch"),
  state: Schema.Literals(["watching", "muted"]),
  automatic: Schema.Boolean,
  createdAt: DateTime,
  space: titled,
  page: maybe(Id),
  changeRequest: maybe(Id)
})

export const NotificationSettings = Schema.Struct({
  ...kind("notification-settings"),
  timeZone: Text,
  digestHour: Count,
  kinds: Schema.Record(Text, Schema.Literals(["inbox", "mail", "digest", "off"]))
})
