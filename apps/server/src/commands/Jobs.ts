/** `lectern jobs` and `lectern jobs retry`: lists background work and retries failed work. */
import { HostJobs } from "@lectern/core/job/host/HostJobs"
import { JobStatus } from "@lectern/core/job/Job"
import type { WorkItem } from "@lectern/core/job/WorkItem"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandFailed } from "@lectern/cli/CommandFailed"
import { dataFlags } from "../settings/Settings.ts"
import { operate } from "./Operator.ts"

/** Maximum number of items of each status in a list, for each kind of work, and in a retry. */
const limit = 1_000

/** Statuses that are listed by default: all except `done`. */
const defaultStatuses: ReadonlyArray<JobStatus> = ["failed", "running", "waiting"]

const kind = Flag.String("kind").pipe(
  Flag.withDescription("Only this kind: a kind of jobs, event-reader, delivery, webhook or mail"),
  Flag.optional
)

/** Returns an item in its JSON form. */
const present = ({ payload, ...item }: WorkItem) => item

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

const formatItem = ({ attempts, lag, waiting, ...item }: WorkItem): string =>
  [
    item.id,
    item.status,
    item.kind,
    item.integration,
    item.mail,
    attempts !== undefined && counted(attempts, "attempt"),
    item.position !== undefined && `at ${item.position || "the start"}`,
    lag !== undefined && `${counted(lag, "event")} behind`,
    waiting !== undefined && `${counted(waiting, "event")} queued`,
    item.nextRunAt && `next ${item.nextRunAt}`,
    item.failure && `last failure: ${item.failure.replace(/\s+/g, " ").trim()}`
  ]
    .filter(Boolean)
    .join("  ")

const listed = Effect.fnUntraced(function* (statuses: ReadonlyArray<JobStatus>, kind: Option.Option<string>) {
  const jobs = yield* HostJobs
  const itemsByStatus = yield* Effect.forEach(statuses, (status) =>
    jobs.list({ status, limit, ...(Option.isSome(kind) && { kind: kind.value }) })
  )
  return itemsByStatus.flat()
})

const retry = Command.make(
  "retry",
  {
    ...dataFlags,
    id: Argument.String("id").pipe(Argument.withDescription("Id of failed work, see: lectern jobs"), Argument.optional),
    all: Flag.Boolean("all").pipe(
      Flag.withDescription("Retry all failed jobs, deliveries and mails"),
      Flag.withDefault(false)
    ),
    kind
  },
  (given) =>
    operate(
      given,
      Effect.gen(function* () {
        const jobs = yield* HostJobs
        if (Option.isSome(given.id) === (given.all || Option.isSome(given.kind))) {
          return yield* new CommandFailed({ message: "Specify the id of a job, --all, or --kind" })
        }
        const retried: Array<WorkItem> = []
        const ids = Option.isSome(given.id)
          ? [given.id.value]
          : (yield* listed(["failed"], given.kind)).map(({ id }) => id)
        for (const id of ids) {
          const item = yield* jobs.get(id)
          if (yield* jobs.retry(id)) retried.push((yield* jobs.get(id))!)
          else if (Option.isSome(given.id)) return yield* refused(id, item)
        }
        return {
          json: { retried: retried.map(present) },
          text: retried.length === 0 ? "Nothing to retry" : retried.map(formatItem).join("\n")
        }
      })
    )
).pipe(Command.withDescription("Retry failed background work"))

/** Returns the error for work that can't be retried. */
const refused = (id: string, item: WorkItem | undefined): CommandFailed => {
  if (item === undefined) return new CommandFailed({ message: `There is no job ${id}` })
  if (item.status !== "failed")
    return new CommandFailed({ message: `The job is ${item.status}: only failed jobs can be retried` })
  return new CommandFailed({ message: `The job ${id} is superseded by another job, or its queue is full` })
}

export const Jobs = Command.make(
  "jobs",
  {
    ...dataFlags,
    status: Flag.Literals("status", JobStatus.literals).pipe(
      Flag.withDescription("List only work with this status. Default: all except done"),
      Flag.optional
    ),
    kind
  },
  (given) =>
    operate(
      given,
      Effect.gen(function* () {
        const statuses = Option.isSome(given.status) ? [given.status.value] : defaultStatuses
        const items = yield* listed(statuses, given.kind)
        return {
          json: { jobs: items.map(present) },
          text: items.length === 0 ? "No jobs" : items.map(formatItem).join("\n")
        }
      })
    )
).pipe(
  Command.withDescription(
    "List background work: jobs, readers of events, deliveries, webhooks and mails, or retry failed work"
  ),
  Command.withSubcommands([retry])
)
