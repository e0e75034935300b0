/** `lectern jobs` and `lectern jobs retry`: the work that the server does in the background. */
import { JobId, type JobRow, JobStatus } from "@lectern/core/job/Job"
import { Jobs as BackgroundJobs } from "@lectern/core/job/Jobs"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandFailed } from "../CommandFailed.ts"
import { dataFlags } from "../settings/Settings.ts"
import { operate } from "./Operator.ts"

/** The most jobs of a status that are listed, and that are retried at once. */
const limit = 1_000

/** Statuses that are shown where none is asked for: all but `done`. */
const shown: ReadonlyArray<JobStatus> = ["failed", "running", "waiting"]

const kind = Flag.String("kind").pipe(Flag.withDescription("Only jobs of this kind"), Flag.optional)

/** A job as it is shown. */
const present = ({ id, kind, status, attempts, dueAt, failure, createdAt, updatedAt }: JobRow) => ({
  id,
  kind,
  status,
  attempts,
  ...(status === "waiting" && { nextRunAt: dueAt }),
  ...(failure !== undefined && { failure }),
  createdAt,
  updatedAt
})

const line = (job: ReturnType<typeof present>): string =>
  [
    job.id,
    job.status,
    job.kind,
    `begun ${job.attempts} ${job.attempts === 1 ? "time" : "times"}`,
    job.nextRunAt && `next ${job.nextRunAt}`,
    job.failure && `failed last: ${job.failure.replace(/\s+/g, " ").trim()}`
  ]
    .filter(Boolean)
    .join("  ")

const listed = Effect.fnUntraced(function* (statuses: ReadonlyArray<JobStatus>, kind: Option.Option<string>) {
  const jobs = yield* BackgroundJobs
  const found = yield* Effect.forEach(statuses, (status) =>
    jobs.list({ status, limit, ...(Option.isSome(kind) && { kind: kind.value }) })
  )
  return found.flat()
})

const retry = Command.make(
  "retry",
  {
    ...dataFlags,
    id: Argument.String("id").pipe(Argument.withDescription("The id of a failed job, see: jobs"), Argument.optional),
    all: Flag.Boolean("all").pipe(Flag.withDescription("Retry all that failed"), Flag.withDefault(false)),
    kind
  },
  (given) =>
    operate(
      given,
      Effect.gen(function* () {
        const jobs = yield* BackgroundJobs
        if (Option.isSome(given.id) === (given.all || Option.isSome(given.kind))) {
          return yield* new CommandFailed({ message: "Say which job, or --all of them, or those of a --kind" })
        }
        const failed = Option.isSome(given.id) ? [yield* known(given.id.value)] : yield* listed(["failed"], given.kind)
        const retried: Array<JobRow> = []
        for (const { id } of failed) if (yield* jobs.retry(id)) retried.push((yield* jobs.get(id))!)
        if (Option.isSome(given.id) && retried.length === 0) {
          return yield* new CommandFailed({ message: `Another job does what ${given.id.value} was to do` })
        }
        return {
          json: { retried: retried.map(present) },
          text: retried.length === 0 ? "Nothing to retry" : retried.map((job) => line(present(job))).join("\n")
        }
      })
    )
).pipe(Command.withDescription("Try failed jobs again: they begin anew, with all their attempts"))

const known = Effect.fnUntraced(function* (id: string) {
  const job = yield* (yield* BackgroundJobs).get(JobId.make(id))
  if (job === undefined) return yield* new CommandFailed({ message: `There is no job ${id}` })
  if (job.status !== "failed") {
    return yield* new CommandFailed({ message: `The job is ${job.status}: only a failed one can be tried again` })
  }
  return job
})

export const Jobs = Command.make(
  "jobs",
  {
    ...dataFlags,
    status: Flag.Literals("status", JobStatus.literals).pipe(
      Flag.withDescription("Only these. Default: all but what is done"),
      Flag.optional
    ),
    kind
  },
  (given) =>
    operate(
      given,
      Effect.gen(function* () {
        const jobs = yield* listed(Option.isSome(given.status) ? [given.status.value] : shown, given.kind)
        const rows = jobs.map(present)
        return { json: { jobs: rows }, text: rows.length === 0 ? "No jobs" : rows.map(line).join("\n") }
      })
    )
).pipe(
  Command.withDescription("List the work in the background, or retry what failed"),
  Command.withSubcommands([retry])
)
